package io.rowqueue.engine.job;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

import io.rowqueue.JobQueueException;
import io.rowqueue.engine.database.Parameters;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.flow.Flow.Adder;
import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

/**
 * The flow that a running job adds to. The row of that job in its flow is locked: the end
 * of a job writes this row before it notifies successors, so that the job, and with it
 * the flow, cannot end before the addition is committed. No other job is locked.
 */
final class FlowMemberStore {

	private static final String FLOW = """
			select flow_id, state::text as state from {schema}.flow_job where job_id = ? for no key update""";

	private static final String IS_HELD = """
			select cancel_requested from {schema}.job where id = ? and lease = ? and worker_id is not null""";

	private static final String KNOWN = """
			select name, job_id, state::text as state, added_by from {schema}.flow_job
			where flow_id = ? and name = any (?::text[])""";

	private final QueueDatabase database;

	FlowMemberStore(QueueDatabase database) {
		this.database = database;
	}

	/**
	 * Locks the row of a running job in its flow.
	 * @return the id of the flow
	 * @throws JobQueueException if the job cannot add to a flow
	 */
	long lock(Adder adder) {
		OfFlow job = this.database
			.first(FLOW, (row, index) -> new OfFlow(row.getLong("flow_id"), row.getString("state")), adder.jobId())
			.orElseThrow(() -> refused(adder, "it is not part of one"));
		if (job.state() != null) {
			throw refused(adder, "it has " + job.state());
		}
		// a statement of its own, which sees what was committed while it waited for the
		// lock
		boolean cancelled = this.database
			.first(IS_HELD, (row, index) -> row.getBoolean("cancel_requested"), adder.jobId(), adder.leaseToken())
			.orElseThrow(() -> refused(adder, "it does not hold the lease " + adder.leaseToken() + " any longer"));
		if (cancelled) {
			throw refused(adder, "it is being cancelled");
		}
		return job.flowId();
	}

	private static JobQueueException refused(Adder adder, String reason) {
		return new JobQueueException("Job " + adder.jobId() + " cannot add jobs to its flow: " + reason);
	}

	/**
	 * Finds the jobs of a flow that an addition names.
	 * @throws JobQueueException if another job has added one of them
	 * @throws IllegalArgumentException if there is no job of a name
	 */
	Map<String, FlowMember> named(long flowId, Adder adder, List<NewFlowJob> addition) {
		Set<String> own = new LinkedHashSet<>();
		addition.forEach((job) -> own.add(job.name()));
		Set<String> all = new LinkedHashSet<>(own);
		addition.forEach((job) -> Stream.of(job.after(), job.before()).forEach(all::addAll));
		Map<String, FlowMember> known = find(flowId, all);
		for (String name : own) {
			FlowMember same = known.get(name);
			if (same != null && !Objects.equals(same.addedBy(), adder.jobId())) {
				throw new JobQueueException("Flow %s already has a job '%s', which job %s has not added"
					.formatted(flowId, name, adder.jobId()));
			}
		}
		all.removeAll(own);
		for (String name : all) {
			Assert.isTrue(known.containsKey(name), () -> "flow " + flowId + " has no job '" + name + "'");
		}
		return known;
	}

	private Map<String, FlowMember> find(long flowId, Set<String> names) {
		Map<String, FlowMember> known = new HashMap<>();
		this.database.query(KNOWN, (statement) -> new Parameters(statement).number(flowId).texts(names), (row) -> {
			known.put(row.getString("name"), new FlowMember(row.getLong("job_id"), row.getString("state"),
					row.getObject("added_by", Long.class)));
		});
		return known;
	}

	private record OfFlow(long flowId, @Nullable String state) {

	}

}
