package io.pgqueue.store;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.pgqueue.schema.SchemaName;
import io.pgqueue.EnqueueResult;
import io.pgqueue.EnqueueResult.Outcome;
import io.pgqueue.JobQueueException;
import io.pgqueue.JobRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcOperations;

/**
 * Stores new jobs. A job whose unique key is taken is not stored; {@code on conflict}
 * waits for an enqueue that is still in flight, so that a rollback there never loses the
 * job here.
 */
final class EnqueueStatement {

	/** How often a key may be freed and taken again between our two looks at it. */
	private static final int TRIES = 10;

	private static final String INSERT = """
			with input as materialized (
				select nextval('{schema}.job_id_seq') as id, queue, type, priority, max_attempts, unique_key, payload, ord, delay,
					coalesce(run_at, clock_timestamp() + delay * interval '1 microsecond') as run_at,
					tolerance * interval '1 microsecond' as tolerance
				from unnest(?::text[], ?::text[], ?::smallint[], ?::timestamptz[], ?::bigint[], ?::bigint[], ?::smallint[],
					?::text[], ?::text[])
					with ordinality as u(queue, type, priority, run_at, delay, tolerance, max_attempts, unique_key, payload, ord)),
			stored as (
				insert into {schema}.job
					(id, queue, type, priority, max_attempts, unique_key, payload, run_at, tolerance, order_at, state)
				select id, queue, type, priority, max_attempts, unique_key, payload::json, run_at, tolerance,
					run_at + coalesce(tolerance, interval '0'),
					-- a delay that is over by now is promoted all the same: workers are woken for queued jobs only
					(case when delay = 0 and run_at <= clock_timestamp() then 'queued' else 'scheduled' end)::{schema}.job_state
				from input
				order by unique_key nulls first, ord  -- two bulk enqueues take their keys in one order: no deadlock
				on conflict (unique_key) where unique_key is not null and state <> 'failed' do nothing
				returning id)
			select input.id, stored.id is not null as created
			from input left join stored on stored.id = input.id
			order by input.ord""";

	private static final String HOLDERS = """
			select unique_key, id from {schema}.job where unique_key = any (?) and state <> 'failed'""";

	private final JdbcOperations jdbc;

	private final String insert;

	private final String holders;

	EnqueueStatement(JdbcOperations jdbc, SchemaName schema) {
		this.jdbc = jdbc;
		this.insert = Sql.in(schema, INSERT);
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
		List<NewJob> batch = open.stream().map(jobs::get).toList();
		this.jdbc.query(this.insert, (statement) -> bind(statement, batch), (row) -> {
			int i = 0;
			do {
				if (row.getBoolean("created")) {
					results[open.get(i)] = new EnqueueResult(row.getLong("id"), Outcome.CREATED);
				}
				i++;
			}
			while (row.next());
		});
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

	private static void bind(PreparedStatement statement, List<NewJob> jobs) throws SQLException {
		List<JobRequest> requests = jobs.stream().map(NewJob::request).toList();
		statement.setArray(1, Sql.array(statement, "text", requests, JobRequest::queue));
		statement.setArray(2, Sql.array(statement, "text", requests, JobRequest::type));
		statement.setArray(3, Sql.array(statement, "smallint", requests, JobRequest::priority));
		statement.setArray(4, Sql.array(statement, "timestamptz", requests, EnqueueStatement::runAt));
		statement.setArray(5, Sql.array(statement, "bigint", requests, (request) -> micros(request.delay())));
		statement.setArray(6, Sql.array(statement, "bigint", requests, EnqueueStatement::tolerance));
		statement.setArray(7, Sql.array(statement, "smallint", requests, JobRequest::maxAttempts));
		statement.setArray(8, Sql.array(statement, "text", requests, JobRequest::uniqueKey));
		statement.setArray(9, Sql.array(statement, "text", jobs, NewJob::payload));
	}

	private static @Nullable Object runAt(JobRequest request) {
		return (request.runAt() != null) ? OffsetDateTime.ofInstant(request.runAt(), ZoneOffset.UTC).toString() : null;
	}

	private static @Nullable Object tolerance(JobRequest request) {
		return request.tolerance().isZero() ? null : micros(request.tolerance());
	}

	static long micros(Duration duration) {
		return Math.addExact(Math.multiplyExact(duration.getSeconds(), 1_000_000L), duration.getNano() / 1000);
	}

}
