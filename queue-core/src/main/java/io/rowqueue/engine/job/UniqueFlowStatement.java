package io.rowqueue.engine.job;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.flow.FlowResult;
import org.springframework.dao.ConcurrencyFailureException;

/**
 * Stores flows with unique keys. Each statement sees what was committed before it began:
 * after a wait for another transaction with the same key, it is read again whether the
 * flow has ended.
 */
final class UniqueFlowStatement {

	private static final int MAX_TRIES = 10;

	private static final String INSERT = """
			insert into {schema}.flow (name, unique_key, holds_key) values (?, ?, true)
			on conflict (unique_key) where holds_key do nothing returning id""";

	private static final String OPEN = """
			select f.id from {schema}.flow f
			where f.unique_key = ? and f.holds_key and exists (
				select from {schema}.flow_job m where m.flow_id = f.id and m.state is null)""";

	private static final String RELEASE = """
			update {schema}.flow f set holds_key = null
			where f.unique_key = ? and f.holds_key and not exists (
				select from {schema}.flow_job m where m.flow_id = f.id and m.state is null)""";

	private static final String JOBS = "select name, job_id from {schema}.flow_job where flow_id = ? order by job_id";

	private final QueueDatabase database;

	UniqueFlowStatement(QueueDatabase database) {
		this.database = database;
	}

	/** Stores a flow without jobs, or finds the one that has the key. */
	FlowResult execute(String name, String key) {
		for (int i = 0; i < MAX_TRIES; i++) {
			List<Long> created = this.database.query(INSERT, (row, index) -> row.getLong("id"), name, key);
			if (!created.isEmpty()) {
				return new FlowResult(created.get(0), Map.of());
			}
			List<Long> open = this.database.query(OPEN, (row, index) -> row.getLong("id"), key);
			if (!open.isEmpty()) {
				return new FlowResult(open.get(0), jobs(open.get(0)), false);
			}
			this.database.update(RELEASE, key);
		}
		throw new ConcurrencyFailureException(
				"The unique key '%s' was taken and released %s times while the flow '%s' was enqueued".formatted(key,
						MAX_TRIES, name));
	}

	private Map<String, Long> jobs(long flowId) {
		Map<String, Long> jobs = new LinkedHashMap<>();
		this.database.forEach(JOBS, (row) -> {
			jobs.put(row.getString("name"), row.getLong("job_id"));
		}, flowId);
		return jobs;
	}

}
