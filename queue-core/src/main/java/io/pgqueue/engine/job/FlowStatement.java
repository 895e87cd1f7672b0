package io.pgqueue.engine.job;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.pgqueue.engine.database.Parameters;
import io.pgqueue.engine.database.QueueDatabase;
import io.pgqueue.flow.FlowResult;
import io.pgqueue.flow.WhenFailed;

/** Stores flows. */
final class FlowStatement {

	private static final String FLOW = "insert into {schema}.flow (name) values (?) returning id";

	private static final String JOBS = """
			insert into {schema}.flow_job (flow_id, name, job_id, after)
			select ?, u.name, u.job_id, coalesce(e.names, '{}')
			from unnest(?::text[], ?::bigint[]) as u (name, job_id)
			left join (
				select e.job_id, array_agg(e.name order by e.ord) as names
				from unnest(?::bigint[], ?::text[]) with ordinality as e (job_id, name, ord) group by e.job_id) e using (job_id)""";

	private final QueueDatabase database;

	private final InsertStatement insert;

	private final DependStatement depend;

	FlowStatement(QueueDatabase database, InsertStatement insert, DependStatement depend) {
		this.database = database;
		this.insert = insert;
		this.depend = depend;
	}

	FlowResult execute(String name, List<NewFlowJob> flow) {
		List<NewJob> jobs = flow.stream().map(NewFlowJob::job).toList();
		List<Long> ids = this.insert.tracked(jobs, flow.stream().map(NewFlowJob::isBlocked).toList(), null);
		List<Dependency> inside = new ArrayList<>();
		Map<String, Long> named = new LinkedHashMap<>();
		List<String> predecessors = new ArrayList<>();
		for (int i = 0; i < flow.size(); i++) {
			long id = ids.get(i);
			WhenFailed whenFailed = jobs.get(i).request().predecessors().whenFailed();
			for (int before : flow.get(i).after()) {
				inside.add(new Dependency(ids.get(before), id, whenFailed));
				predecessors.add(flow.get(before).name());
			}
			named.put(flow.get(i).name(), id);
		}
		long flowId = Objects.requireNonNull(this.database.query(FLOW, (row, index) -> row.getLong("id"), name).get(0));
		this.database.update(JOBS,
				(statement) -> new Parameters(statement).number(flowId)
					.array("text", flow, NewFlowJob::name)
					.array("bigint", ids, (id) -> id)
					.array("bigint", inside, Dependency::successorId)
					.array("text", predecessors, (before) -> before));
		this.depend.executeNew(inside);
		this.depend.execute(DependStatement.of(jobs, ids));
		return new FlowResult(flowId, named);
	}

}
