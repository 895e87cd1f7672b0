package io.pgqueue.store;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.pgqueue.EnqueueResult;
import io.pgqueue.EnqueueResult.Outcome;
import io.pgqueue.JobQueueException;
import io.pgqueue.schema.SchemaName;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcOperations;

/**
 * Stores new jobs; one whose unique key is taken is not stored, and the job that has the
 * key is returned instead. That one may end between the two looks: then the key is free,
 * and the next try stores.
 */
final class EnqueueStatement {

	/** How often a key may be freed and taken again between our two looks at it. */
	private static final int TRIES = 10;

	private static final String HOLDERS = """
			select unique_key, id from {schema}.job where unique_key = any (?) and state <> 'failed'""";

	private final InsertStatement insert;

	private final JdbcOperations jdbc;

	private final String holders;

	EnqueueStatement(JdbcOperations jdbc, SchemaName schema) {
		this.insert = new InsertStatement(jdbc, schema);
		this.jdbc = jdbc;
		this.holders = Sql.in(schema, HOLDERS);
	}

	List<EnqueueResult> execute(List<NewJob> jobs) {
		@Nullable EnqueueResult[] results = new EnqueueResult[jobs.size()];
		List<Integer> open = new ArrayList<>(jobs.size());
		for (int i = 0; i < jobs.size(); i++) {
			open.add(i);
		}
		for (int i = 0; i < TRIES && !open.isEmpty(); i++) {
			insert(jobs, open, results);
			open.removeIf((index) -> results[index] != null);
			if (!open.isEmpty()) {
				keep(jobs, open, results);
				open.removeIf((index) -> results[index] != null);
			}
		}
		if (!open.isEmpty()) {
			throw new JobQueueException(
					"The unique key '%s' was taken and freed %d times while the job was enqueued; try again"
						.formatted(jobs.get(open.get(0)).request().uniqueKey(), TRIES));
		}
		return List.of(results).stream().map(Objects::requireNonNull).toList();
	}

	private void insert(List<NewJob> jobs, List<Integer> open, @Nullable EnqueueResult[] results) {
		List<@Nullable Long> ids = this.insert.execute(open.stream().map(jobs::get).toList());
		for (int i = 0; i < ids.size(); i++) {
			Long id = ids.get(i);
			if (id != null) {
				results[open.get(i)] = new EnqueueResult(id, Outcome.CREATED);
			}
		}
	}

	private void keep(List<NewJob> jobs, List<Integer> open, @Nullable EnqueueResult[] results) {
		Map<String, Long> holders = new HashMap<>();
		this.jdbc.query(this.holders,
				(statement) -> statement.setArray(1,
						Sql.array(statement, "text", open, (index) -> jobs.get(index).request().uniqueKey())),
				(row) -> {
					holders.put(row.getString("unique_key"), row.getLong("id"));
				});
		for (int index : open) {
			Long holder = holders.get(jobs.get(index).request().uniqueKey());
			if (holder != null) {
				results[index] = new EnqueueResult(holder, Outcome.KEPT);
			}
		}
	}

}
