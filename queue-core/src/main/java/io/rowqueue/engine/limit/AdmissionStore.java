package io.rowqueue.engine.limit;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.Sql;
import io.rowqueue.engine.database.WhenDue;
import org.jspecify.annotations.Nullable;

/**
 * Admits the jobs that wait for the limit of their key, and deletes what limits and
 * fairness keys do not use any more. All methods throw
 * {@link org.springframework.dao.DataAccessException} if the database rejects a statement
 * or is not available.
 */
public final class AdmissionStore {

	/** The maximum number of keys or jobs of one statement. */
	public static final int MAX_PER_STATEMENT = 500;

	private static final String ADMIT = """
			select distinct queue from {schema}.admit_all(?) as queue""";

	private static final String ADMIT_DUE = """
			select moved, queues from {schema}.admit_due(?, ?)""";

	private static final String NEXT_TOKEN = """
			select extract(epoch from next_at - clock_timestamp()) as seconds from {schema}.job_key
			where next_at is not null order by next_at limit 1""";

	private static final String ADMIT_FORGOTTEN = """
			select last, queues from {schema}.admit_forgotten(?, ?)""";

	/** Keys that no job has, and whose bucket is full again. */
	private static final String FORGET_KEYS = """
			delete from {schema}.job_key where ctid = any (array(
				select k.ctid from {schema}.job_key k
				where k.limit_key > ? and k.limit_key <= ? and k.next_at is null
					and not exists (select from {schema}.job j where j.limit_key = k.limit_key)
					and (k.tokens_at is null or coalesce((
						select k.tokens_at + l.burst::double precision / l.rate * l.rate_period from {schema}.job_limit l
						where l.kind = 'key' and l.name in (k.limit_key, split_part(k.limit_key, ':', 1))
						order by length(l.name) desc limit 1), '-infinity') < clock_timestamp())
				for update skip locked))""";

	private static final String KEYS_AFTER = """
			select max(limit_key) as last, count(*) as keys from (
				select limit_key from {schema}.job_key where limit_key > ? order by limit_key limit ?) next""";

	/**
	 * When a job may be admitted: it is due, a token is available, or the process that
	 * should have admitted it has died. For the last case, keys that are in use are
	 * checked repeatedly.
	 */
	public static final WhenDue ADMISSIONS = WhenDue.first(WhenDue.firstScheduled("admit"), """
			(select '-infinity'::timestamptz from {schema}.job_key order by limit_key limit 1)""", """
			(select next_run_at + interval '10 seconds' from {schema}.maintenance_task
			where name = 'admit' and not (select idle from cluster))""");

	/** A fairness key whose jobs have been waiting for longer begins anew. */
	private static final List<String> FORGET_OLD = List.of("""
			delete from {schema}.fair_key where ctid = any (array(
				select ctid from {schema}.fair_key where next_at < clock_timestamp() - interval '1 day'
				order by next_at limit %s for update skip locked))""".formatted(MAX_PER_STATEMENT), """
			delete from {schema}.fair_lane where looked_at < clock_timestamp() - interval '1 day'""", """
			delete from {schema}.pause where source = ':hold' and open_from < clock_timestamp()""");

	private final QueueDatabase database;

	/**
	 * Creates the store.
	 * @param database runs each statement in a separate transaction
	 */
	public AdmissionStore(QueueDatabase database) {
		this.database = database;
	}

	/** Forgets fairness keys that were not used for long, and holds that have ended. */
	public void forgetOld() {
		FORGET_OLD.forEach((statement) -> this.database.update(statement));
	}

	/** Admits jobs of the keys, as many as there is room for; returns their queues. */
	public Set<String> admit(Collection<String> keys) {
		return new LinkedHashSet<>(this.database.query(ADMIT,
				(statement) -> statement.setArray(1, Sql.array(statement, "text", keys, (key) -> key)),
				(row, index) -> row.getString("queue")));
	}

	/**
	 * Admits jobs that are due or whose token is available, after the latest such job.
	 */
	public Admission admitDue() {
		return admitDue(false);
	}

	/**
	 * Admits jobs that are due or whose token is available.
	 * @param all whether to include jobs that were locked when others with the same due
	 * time were admitted, or were committed long after that
	 */
	public Admission admitDue(boolean all) {
		return this.database
			.query(ADMIT_DUE, (row, index) -> new Admission(queues(row), row.getInt("moved"), nextToken()),
					MAX_PER_STATEMENT, all)
			.get(0);
	}

	private @Nullable Duration nextToken() {
		List<Duration> next = this.database.query(NEXT_TOKEN,
				(row, index) -> Duration.ofNanos((long) (Math.max(0, row.getDouble("seconds")) * 1e9)));
		return next.isEmpty() ? null : next.get(0);
	}

	/**
	 * Admits jobs that another process should have admitted before it died. Checks some
	 * keys.
	 * @param after the key to begin after
	 * @param found receives the queues with new jobs to claim
	 * @return the last of the keys, or {@code null} if there are no more
	 */
	public @Nullable String admitForgotten(String after, Collection<String> found) {
		return this.database.query(ADMIT_FORGOTTEN, (row, index) -> {
			found.addAll(queues(row));
			return Optional.ofNullable(row.getString("last"));
		}, after, MAX_PER_STATEMENT).get(0).orElse(null);
	}

	/**
	 * Deletes keys that are not in use. Checks some keys.
	 * @param after the key to begin after
	 * @return the last of the keys, or {@code null} if there are no more
	 */
	public @Nullable String forgetKeys(String after) {
		@Nullable String last = this.database
			.query(KEYS_AFTER, (row, index) -> Optional.ofNullable(row.getString("last")), after, MAX_PER_STATEMENT)
			.get(0)
			.orElse(null);
		if (last != null) {
			this.database.update(FORGET_KEYS, after, last);
		}
		return last;
	}

	private static Set<String> queues(ResultSet row) throws SQLException {
		return new LinkedHashSet<>(List.of((String[]) row.getArray("queues").getArray()));
	}

	/**
	 * The result of an admission.
	 *
	 * @param queues the queues with new jobs to claim
	 * @param moved how many due jobs were found, which were admitted or wait for their
	 * key
	 * @param again the time until the next token of a key is available, or {@code null}
	 * if no job waits for one
	 */
	public record Admission(Set<String> queues, int moved, @Nullable Duration again) {

		/** Returns whether there is more to do at once. */
		public boolean unfinished() {
			return this.moved == AdmissionStore.MAX_PER_STATEMENT;
		}

	}

}
