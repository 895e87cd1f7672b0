package io.rowqueue.engine.job;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import io.rowqueue.EnqueueResult;
import io.rowqueue.engine.database.Parameters;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.job.DependStatement.Dependency;
import io.rowqueue.engine.job.EnqueueStore.StoredFlow;
import io.rowqueue.engine.job.FlowSuccessorStore.Placed;
import io.rowqueue.engine.job.FlowSuccessorStore.Successor;
import io.rowqueue.flow.Flow.Adder;
import io.rowqueue.flow.FlowResult;
import io.rowqueue.flow.WhenFailed;
import org.jspecify.annotations.Nullable;

/** Stores flows and additions to them. */
final class FlowStatement {

	private static final String FLOW = "insert into {schema}.flow (name) values (?) returning id";

	private static final String JOBS = """
			insert into {schema}.flow_job (flow_id, name, job_id, added_by, after, before)
			select ?, u.name, u.job_id, ?, coalesce(a.names, '{}'), b.names
			from unnest(?::text[], ?::bigint[]) as u (name, job_id)
			left join (
				select e.job, array_agg(e.name order by e.ord) as names
				from unnest(?::text[], ?::text[]) with ordinality as e (job, name, ord) group by e.job) a on a.job = u.name
			left join (
				select e.job, array_agg(e.name order by e.ord) as names
				from unnest(?::text[], ?::text[]) with ordinality as e (job, name, ord)
				where e.name is not null group by e.job) b on b.job = u.name""";

	private final QueueDatabase database;

	private final InsertStatement insert;

	private final DependStatement depend;

	private final FlowMemberStore members;

	private final FlowSuccessorStore successors;

	private final KeyedStatement keys;

	FlowStatement(QueueDatabase database, InsertStatement insert, DependStatement depend) {
		this.database = database;
		this.insert = insert;
		this.depend = depend;
		this.members = new FlowMemberStore(database);
		this.successors = new FlowSuccessorStore(database);
		this.keys = new KeyedStatement(database);
	}

	/** Stores a new flow. */
	StoredFlow create(String name, List<NewFlowJob> jobs) {
		this.depend.check(jobs.stream().map(NewFlowJob::job).toList());
		long flowId = this.database.query(FLOW, (row, index) -> row.getLong("id"), name).get(0);
		Map<String, Long> ids = store(flowId, null, jobs, Map.of(), List.of());
		return new StoredFlow(new FlowResult(flowId, ids), Set.of());
	}

	/** Adds jobs to a flow, except those that an earlier attempt of the job has added. */
	StoredFlow extend(Adder adder, List<NewFlowJob> addition, boolean beforeSuccessors) {
		long flowId = this.members.lock(adder);
		Map<String, FlowMember> known = this.members.named(flowId, adder, addition);
		List<NewFlowJob> added = addition.stream().filter((job) -> !known.containsKey(job.name())).toList();
		Map<String, Long> stored = added.isEmpty() ? Map.of() : add(flowId, adder, added, known, beforeSuccessors);
		Map<String, Long> ids = new LinkedHashMap<>();
		for (NewFlowJob job : addition) {
			FlowMember kept = known.get(job.name());
			ids.put(job.name(), (kept != null) ? kept.jobId() : id(stored, job.name()));
		}
		Set<String> kept = new LinkedHashSet<>(ids.keySet());
		kept.retainAll(known.keySet());
		return new StoredFlow(new FlowResult(flowId, ids), kept);
	}

	private Map<String, Long> add(long flowId, Adder adder, List<NewFlowJob> added, Map<String, FlowMember> known,
			boolean beforeSuccessors) {
		boolean placing = beforeSuccessors || added.stream().anyMatch((job) -> !job.before().isEmpty());
		this.depend.check(added.stream().map(NewFlowJob::job).toList());
		List<Successor> waiting = placing ? this.successors.of(adder.jobId(), flowId) : List.of();
		List<Placed> placed = FlowSuccessorStore.place(added, known, waiting, beforeSuccessors);
		List<NewFlowJob> behindOthers = placed.isEmpty() ? List.of()
				: added.stream().filter((job) -> mayCloseCycle(job, adder, known)).toList();
		if (!behindOthers.isEmpty()) {
			this.successors.lock(flowId);
		}
		Map<String, Long> ids = store(flowId, adder.jobId(), added, known, placed);
		if (!behindOthers.isEmpty()) {
			this.successors.checkAcyclic(behindOthers.stream().map((job) -> id(ids, job.name())).toList());
		}
		return ids;
	}

	/** Nothing that runs before the job that adds can wait for what it adds. */
	private static boolean mayCloseCycle(NewFlowJob job, Adder adder, Map<String, FlowMember> known) {
		return !job.job().request().predecessors().ids().isEmpty() || job.after()
			.stream()
			.map(known::get)
			.anyMatch((member) -> member != null && !member.hasSucceeded() && member.jobId() != adder.jobId());
	}

	private Map<String, Long> store(long flowId, @Nullable Long adder, List<NewFlowJob> flow,
			Map<String, FlowMember> known, List<Placed> placed) {
		List<NewJob> jobs = flow.stream().map(NewFlowJob::job).toList();
		Map<String, Long> ids = new LinkedHashMap<>();
		flow.forEach((job) -> ids.put(job.name(), 0L)); // in this order
		storeKeyed(flow, known, ids);
		storePlain(flow, known, ids);
		List<String[]> after = new ArrayList<>();
		List<Dependency> inside = new ArrayList<>();
		List<Dependency> outside = new ArrayList<>(DependStatement.of(jobs, List.copyOf(ids.values())));
		for (NewFlowJob job : flow) {
			WhenFailed whenFailed = job.job().request().predecessors().whenFailed();
			for (String name : job.after()) {
				after.add(new String[] { job.name(), name });
				FlowMember member = known.get(name);
				if (member == null || Objects.equals(member.jobId(), adder)) {
					// the adder cannot end before this
					long predecessor = (member != null) ? member.jobId() : id(ids, name);
					inside.add(new Dependency(predecessor, id(ids, job.name()), whenFailed));
				}
				else if (!member.hasSucceeded()) {
					outside.add(new Dependency(member.jobId(), id(ids, job.name()), whenFailed));
				}
			}
		}
		this.database.update(JOBS,
				(statement) -> new Parameters(statement).number(flowId)
					.numberOrNull(adder)
					.texts(ids.keySet())
					.numbers(ids.values())
					.array("text", after, (edge) -> edge[0])
					.array("text", after, (edge) -> edge[1])
					.array("text", placed, Placed::job)
					.array("text", placed, (edge) -> edge.successor().name()));
		placed.forEach((edge) -> inside
			.add(new Dependency(id(ids, edge.job()), edge.successor().id(), edge.successor().whenFailed())));
		this.depend.executeNew(inside);
		this.depend.execute(outside);
		return ids;
	}

	/** A job whose unique key is taken is rejected, and with it the flow. */
	private void storeKeyed(List<NewFlowJob> flow, Map<String, FlowMember> known, Map<String, Long> ids) {
		List<NewFlowJob> jobs = flow.stream().filter(NewFlowJob::isKeyed).toList();
		List<EnqueueResult> stored = this.keys.execute(jobs.stream().map(NewFlowJob::job).toList());
		Map<Long, Boolean> blocked = new LinkedHashMap<>();
		for (int i = 0; i < jobs.size(); i++) {
			ids.put(jobs.get(i).name(), stored.get(i).id());
			blocked.put(stored.get(i).id(), isBlocked(jobs.get(i), known));
		}
		this.keys.track(blocked, null);
	}

	private void storePlain(List<NewFlowJob> flow, Map<String, FlowMember> known, Map<String, Long> ids) {
		List<NewFlowJob> jobs = flow.stream().filter((job) -> !job.isKeyed()).toList();
		List<Long> stored = this.insert.tracked(jobs.stream().map(NewFlowJob::job).toList(),
				jobs.stream().map((job) -> isBlocked(job, known)).toList(), null);
		for (int i = 0; i < jobs.size(); i++) {
			ids.put(jobs.get(i).name(), stored.get(i));
		}
	}

	private static boolean isBlocked(NewFlowJob job, Map<String, FlowMember> known) {
		return !job.job().request().predecessors().ids().isEmpty()
				|| job.after().stream().map(known::get).anyMatch((member) -> member == null || !member.hasSucceeded());
	}

	private static long id(Map<String, Long> ids, String name) {
		return Objects.requireNonNull(ids.get(name));
	}

}
