package io.pgqueue.engine.job;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.pgqueue.engine.database.QueueDatabase;
import io.pgqueue.engine.database.Sql;
import io.pgqueue.flow.FlowResult;
import io.pgqueue.flow.WhenFailed;

/** Stores flows. */
final class FlowStatement {

	private static final String FLOW = "insert into {schema}.flow (name) values (?) returning id";

	private static final String STEPS = """
			insert into {schema}.flow_step (flow_id, name, job_id)
			select ?, * from unnest(?::text[], ?::bigint[])""";

	private final QueueDatabase database;

	private final InsertStatement insert;

	private final DependStatement depend;

	FlowStatement(QueueDatabase database, InsertStatement insert, DependStatement depend) {
		this.database = database;
		this.insert = insert;
		this.depend = depend;
	}

	FlowResult execute(String name, List<NewStep> steps) {
		List<NewJob> jobs = steps.stream().map(NewStep::job).toList();
		List<Long> ids = this.insert.tracked(jobs, steps.stream().map(NewStep::isBlocked).toList(), null);
		List<Dependency> inside = new ArrayList<>();
		Map<String, Long> named = new LinkedHashMap<>();
		for (int i = 0; i < steps.size(); i++) {
			long id = ids.get(i);
			WhenFailed whenFailed = jobs.get(i).request().predecessors().whenFailed();
			steps.get(i).after().forEach((before) -> inside.add(new Dependency(ids.get(before), id, whenFailed)));
			named.put(steps.get(i).name(), id);
		}
		long flowId = Objects.requireNonNull(this.database.query(FLOW, (row, index) -> row.getLong("id"), name).get(0));
		this.database.update(STEPS, (statement) -> {
			statement.setLong(1, flowId);
			statement.setArray(2, Sql.array(statement, "text", steps, NewStep::name));
			statement.setArray(3, Sql.array(statement, "bigint", ids, (id) -> id));
		});
		this.depend.executeNew(inside);
		this.depend.execute(DependStatement.of(jobs, ids));
		return new FlowResult(flowId, named);
	}

}
