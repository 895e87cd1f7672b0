package io.rowqueue.engine.job;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;

import io.rowqueue.DuplicateJobException;
import io.rowqueue.DuplicatePolicy;
import io.rowqueue.EnqueueResult;
import io.rowqueue.EnqueueResult.Outcome;
import io.rowqueue.UniqueKey;
import io.rowqueue.engine.database.Parameters;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.job.NewJob.PayloadMerge;
import org.jspecify.annotations.Nullable;

/**
 * Stores jobs with unique keys one after the other with the function
 * {@code enqueue_keyed}. If payloads are to be merged, the function has locked the
 * waiting job, and a second statement writes the merged payload.
 */
final class KeyedStatement {

	private static final String ENQUEUE = """
			select k.id, k.outcome, k.existing
			from unnest(?::text[], ?::text[], ?::smallint[], ?::smallint[], ?::text[], ?::timestamptz[], ?::bigint[],
				?::bigint[], ?::bigint[], ?::text[], ?::text[], ?::text[], ?::smallint[], ?::bigint[], ?::bigint[], ?::text[],
				?::integer[])
				with ordinality
				as u(queue, type, priority, max_attempts, unique_key, run_at, delay, tolerance, unique_for, duplicates, headers,
					limit_key, limit_units, kept_for, at_most, payload, place, ord)
			cross join lateral {schema}.enqueue_keyed(row(u.queue, u.type, u.priority, u.max_attempts, u.unique_key,
				coalesce(u.run_at, statement_timestamp() + u.delay::float8 * interval '1 microsecond'),
				u.tolerance::float8 * interval '1 microsecond', u.unique_for::float8 * interval '1 microsecond',
				u.payload::json, u.headers::json, u.limit_key, u.limit_units, null)::{schema}.job_request,
				case u.duplicates when 'reject' then 'keep' else u.duplicates end,
				u.kept_for::float8 * interval '1 microsecond', u.at_most::float8 * interval '1 microsecond',
				(array(select nextval('{schema}.job_id_seq') from generate_series(1, ?)))[u.place]) k
			order by u.ord""";

	private static final String MERGED = """
			with waiting as (update {schema}.job set payload = ?::json where id = ?)
			update {schema}.job_follow_up set payload = ?::json where id = ?""";

	private static final String TRACK = """
			update {schema}.job j set tracked = true, batch_id = ?,
				state = (case when u.blocked then 'blocked' else j.state::text end)::{schema}.job_state
			from unnest(?::bigint[], ?::boolean[]) as u (id, blocked) where j.id = u.id""";

	private final QueueDatabase database;

	private final LabelStatement labels;

	KeyedStatement(QueueDatabase database) {
		this.database = database;
		this.labels = new LabelStatement(database);
	}

	/**
	 * Stores the jobs in the order of their keys, so that two transactions cannot
	 * deadlock. Jobs that are created together have their ids in the given order.
	 * @return one result for each job, in the given order
	 */
	List<EnqueueResult> execute(List<NewJob> jobs) {
		List<Integer> sorted = IntStream.range(0, jobs.size())
			.boxed()
			.sorted(Comparator.comparing((index) -> key(jobs.get(index)).value()))
			.toList();
		@Nullable EnqueueResult[] results = new @Nullable EnqueueResult[jobs.size()];
		for (int from = 0; from < sorted.size();) {
			List<Integer> together = sorted.subList(from, endOfStatement(jobs, sorted, from));
			List<EnqueueResult> stored = execute(jobs, together);
			for (int i = 0; i < stored.size(); i++) {
				results[together.get(i)] = stored.get(i);
			}
			from += together.size();
		}
		return List.of(results).stream().map(Objects::requireNonNull).toList();
	}

	/**
	 * A job that merges is stored alone, since the next one with its key must see the
	 * result.
	 */
	private static int endOfStatement(List<NewJob> jobs, List<Integer> sorted, int from) {
		int end = from + 1;
		if (jobs.get(sorted.get(from)).merge() == null) {
			while (end < sorted.size() && jobs.get(sorted.get(end)).merge() == null) {
				end++;
			}
		}
		return end;
	}

	private List<EnqueueResult> execute(List<NewJob> all, List<Integer> indexes) {
		List<NewJob> jobs = indexes.stream().map(all::get).toList();
		List<Integer> inOrder = indexes.stream().sorted().toList();
		List<EnqueueResult> results = new ArrayList<>(jobs.size());
		List<@Nullable String> existing = new ArrayList<>(jobs.size());
		this.database.query(ENQUEUE, (statement) -> {
			NewJobColumn.bindArrays(statement, NewJobColumn.KEYED, jobs);
			new Parameters(statement, NewJobColumn.KEYED.size() + 1)
				.array("integer", indexes, (index) -> Collections.binarySearch(inOrder, index) + 1)
				.number(jobs.size());
		}, (row) -> {
			results.add(result(row));
			existing.add(row.getString("existing"));
		});
		for (int i = 0; i < results.size(); i++) {
			if (results.get(i).outcome() == Outcome.MERGED) {
				merge(results.get(i).id(), existing.get(i), jobs.get(i));
			}
		}
		for (int i = 0; i < results.size(); i++) {
			checkIsNotRejected(key(jobs.get(i)), results.get(i));
		}
		this.labels.executeKeyed(jobs, results);
		return results;
	}

	/**
	 * Makes the end of jobs that this transaction has stored affect others.
	 * @param blocked the jobs, and whether each of them is blocked
	 * @param batchId the batch that they are counted in, or {@code null}
	 */
	void track(Map<Long, Boolean> blocked, @Nullable Long batchId) {
		if (!blocked.isEmpty()) {
			this.database.update(TRACK,
					(statement) -> new Parameters(statement).numberOrNull(batchId)
						.numbers(blocked.keySet())
						.array("boolean", blocked.values(), (each) -> each));
		}
	}

	private static UniqueKey key(NewJob job) {
		return Objects.requireNonNull(job.request().unique());
	}

	private static void checkIsNotRejected(UniqueKey key, EnqueueResult result) {
		if (key.duplicates() instanceof DuplicatePolicy.Reject && result.outcome() != Outcome.CREATED) {
			throw new DuplicateJobException(key.value(), result.id());
		}
	}

	private static EnqueueResult result(ResultSet row) throws SQLException {
		return new EnqueueResult(row.getLong("id"), Outcome.valueOf(row.getString("outcome").toUpperCase(Locale.ROOT)));
	}

	private void merge(long id, @Nullable String existing, NewJob job) {
		PayloadMerge merge = job.merge();
		if (merge != null) {
			String payload = merge.merge(existing, job.payload());
			this.database.update(MERGED, payload, id, payload, id);
		}
	}

}
