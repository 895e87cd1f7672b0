package io.rowqueue.engine.job;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.rowqueue.JobQueueException;
import io.rowqueue.engine.database.Parameters;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.flow.WhenFailed;
import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

/**
 * The jobs that run after a running job, and that are made to wait for jobs that it adds.
 * None of them can have started, since the running job cannot end meanwhile.
 */
final class FlowSuccessorStore {

	private static final String SUCCESSORS = """
			select d.successor_id, d.when_failed, m.name
			from {schema}.job_dependency d left join {schema}.flow_job m
				on m.job_id = d.successor_id and m.flow_id = ?
			where d.predecessor_id = ? and d.when_failed <> 'wake'""";

	/** Two additions that are made at the same time could otherwise form a cycle. */
	private static final String LOCK = "select id from {schema}.flow where id = ? for no key update";

	private static final String CYCLE = """
			with recursive later as (
				select d.predecessor_id as root, d.successor_id as id
				from {schema}.job_dependency d where d.predecessor_id = any (?::bigint[])
				union
				select l.root, d.successor_id from later l join {schema}.job_dependency d on d.predecessor_id = l.id)
			select m.name from later l join {schema}.flow_job m on m.job_id = l.root where l.id = l.root limit 1""";

	private final QueueDatabase database;

	FlowSuccessorStore(QueueDatabase database) {
		this.database = database;
	}

	/** Finds the jobs that run after a running job. */
	List<Successor> of(long jobId, long flowId) {
		return this.database.query(SUCCESSORS, (row, index) -> new Successor(row.getLong("successor_id"),
				row.getString("name"), WhenFailed.of(row.getString("when_failed"))), flowId, jobId);
	}

	void lock(long flowId) {
		this.database.query(LOCK, (row, index) -> row.getLong("id"), flowId);
	}

	/** Rejects new jobs that wait for themselves. */
	void checkAcyclic(List<Long> ids) {
		this.database
			.query(CYCLE, (statement) -> new Parameters(statement).numbers(ids), (row, index) -> row.getString("name"))
			.forEach((name) -> {
				throw new JobQueueException("job '" + name + "' would run after itself");
			});
	}

	/**
	 * Chooses what waits for each new job: the jobs that it names, and all if no other
	 * new job runs after it and the whole addition is before them.
	 */
	static List<Placed> place(List<NewFlowJob> added, Map<String, FlowMember> known, List<Successor> successors,
			boolean allOfThem) {
		Set<String> followed = new HashSet<>();
		added.forEach((job) -> followed.addAll(job.after()));
		List<Placed> placed = new ArrayList<>();
		for (NewFlowJob job : added) {
			boolean last = allOfThem && !followed.contains(job.name());
			successors.stream()
				.filter((successor) -> last || (successor.name() != null && job.before().contains(successor.name())))
				.forEach((successor) -> placed.add(new Placed(job.name(), successor)));
			job.before()
				.stream()
				.filter((name) -> successors.stream().noneMatch((successor) -> name.equals(successor.name())))
				.forEach((name) -> checkIsCancelled(job.name(), name, known));
		}
		return placed;
	}

	private static void checkIsCancelled(String job, String name, Map<String, FlowMember> known) {
		FlowMember member = known.get(name);
		Assert.isTrue(member != null && "cancelled".equals(member.state()),
				() -> "job '%s' cannot run before '%s', which does not run after the job that adds it".formatted(job,
						name));
	}

	/**
	 * A job that runs after the one that adds.
	 *
	 * @param id its id
	 * @param name its name in the flow; {@code null}: it belongs to no flow or another
	 * one
	 * @param whenFailed what happens to it if a predecessor does not succeed
	 */
	record Successor(long id, @Nullable String name, WhenFailed whenFailed) {

	}

	/**
	 * A new job and a job that waits for it.
	 *
	 * @param job the name of the new job
	 * @param successor the job that waits
	 */
	record Placed(String job, Successor successor) {

	}

}
