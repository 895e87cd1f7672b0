package io.pgqueue.engine.limit;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import io.pgqueue.engine.database.QueueDatabase;
import io.pgqueue.engine.database.Sql;
import io.pgqueue.engine.database.WhenDue;
import io.pgqueue.limit.Limit;
import io.pgqueue.limit.Limit.Rate;
import io.pgqueue.limit.LimitKind;
import io.pgqueue.limit.LimitView;
import org.jspecify.annotations.Nullable;

/**
 * Limits, and the jobs that wait because of the limit of their key. All methods throw
 * {@link org.springframework.dao.DataAccessException} when the database refuses or is
 * away.
 */
public final class LimitStore {

	/** The most keys or jobs of one statement. */
	public static final int BATCH = 500;

	/**
	 * What somebody has set by hand is left alone, and so is what is the same already.
	 */
	private static final String SET = """
			insert into {schema}.job_limit as l (kind, name, concurrency, rate, rate_period, burst, ordered, source)
			values (?, ?, ?, ?, ? * interval '1 microsecond', ?, ?, ?)
			on conflict (kind, name) do update
			set concurrency = excluded.concurrency, rate = excluded.rate, rate_period = excluded.rate_period,
				burst = excluded.burst, ordered = excluded.ordered, source = excluded.source,
				changed_at = clock_timestamp(), tokens = null, tokens_at = null
			where excluded.source = 'admin' or (l.source = 'properties'
				and (l.concurrency, l.rate, l.rate_period, l.burst, l.ordered) is distinct from
					(excluded.concurrency, excluded.rate, excluded.rate_period, excluded.burst, excluded.ordered))""";

	private static final String REMOVE = """
			with removed as (delete from {schema}.job_limit where kind = ? and name = ? returning kind, name),
			slots as (delete from {schema}.job_slot s using removed r where s.kind = r.kind and s.name = r.name)
			select name from removed""";

	private static final String LIST = """
			select kind, name, concurrency, rate, extract(epoch from rate_period) * 1000000 as period, burst, ordered, source,
				changed_at, held, tokens
			from {schema}.limits order by kind, name""";

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
						where l.kind = 'key' and l.name = split_part(k.limit_key, ':', 1)), '-infinity') < clock_timestamp())
				for update skip locked))""";

	private static final String KEYS_AFTER = """
			select max(limit_key) as last, count(*) as keys from (
				select limit_key from {schema}.job_key where limit_key > ? order by limit_key limit ?) next""";

	/**
	 * When a job may be let in: it is due, its token comes, or somebody who should have
	 * let it in has died. A key that is in use is looked at again and again for that.
	 */
	public static final WhenDue ADMISSIONS = WhenDue.first(WhenDue.firstScheduled("admit"), """
			(select '-infinity'::timestamptz from {schema}.job_key order by limit_key limit 1)""", """
			(select next_run_at + interval '10 seconds' from {schema}.maintenance_task where name = 'admit')""");

	private final QueueDatabase database;

	/**
	 * Creates the store.
	 * @param database runs each statement in a transaction of its own
	 */
	public LimitStore(QueueDatabase database) {
		this.database = database;
	}

	/**
	 * Sets a limit.
	 * @param setManually whether it takes precedence over properties
	 * @return whether that changed anything
	 */
	public boolean set(LimitKind kind, String name, Limit limit, boolean setManually) {
		Rate rate = limit.rate();
		return this.database.update(SET, kind.label(), name, limit.concurrency(), (rate != null) ? rate.jobs() : null,
				(rate != null) ? Sql.micros(rate.period()) : null, (rate != null) ? rate.burst() : null,
				limit.ordered(), setManually ? "admin" : "properties") == 1;
	}

	/** Removes a limit; returns false if there was none. */
	public boolean remove(LimitKind kind, String name) {
		return !this.database.query(REMOVE, (row, index) -> row.getString("name"), kind.label(), name).isEmpty();
	}

	/** All limits, by kind and name. */
	public List<LimitView> list() {
		return this.database.query(LIST,
				(row, index) -> new LimitView(LimitKind.of(row.getString("kind")), row.getString("name"), limit(row),
						row.getString("source").equals("admin"), Sql.time(row, "changed_at"), Sql.integer(row, "held"),
						Sql.integer(row, "tokens")));
	}

	private static Limit limit(ResultSet row) throws SQLException {
		Integer jobs = Sql.integer(row, "rate");
		@Nullable Rate rate = (jobs != null) ? new Rate(jobs,
				Duration.ofNanos(Math.multiplyExact(Math.round(row.getDouble("period")), 1000L)), row.getInt("burst"))
				: null;
		return new Limit(Sql.integer(row, "concurrency"), rate, row.getBoolean("ordered"));
	}

	/** Lets jobs of these keys in, as many as there is room for; returns their queues. */
	public Set<String> admit(Collection<String> keys) {
		return new LinkedHashSet<>(this.database.query(ADMIT,
				(statement) -> statement.setArray(1, Sql.array(statement, "text", keys, (key) -> key)),
				(row, index) -> row.getString("queue")));
	}

	/** Lets jobs in that are due, or whose token has come, from where it has ended. */
	public Admission admitDue() {
		return admitDue(false);
	}

	/**
	 * Lets jobs in that are due, or whose token has come.
	 * @param all also those that were locked when the others were let in that were due
	 * with them, or were committed long after that
	 */
	public Admission admitDue(boolean all) {
		return this.database
			.query(ADMIT_DUE, (row, index) -> new Admission(queues(row), row.getInt("moved"), nextToken()), BATCH, all)
			.get(0);
	}

	private @Nullable Duration nextToken() {
		List<Duration> next = this.database.query(NEXT_TOKEN,
				(row, index) -> Duration.ofNanos((long) (Math.max(0, row.getDouble("seconds")) * 1e9)));
		return next.isEmpty() ? null : next.get(0);
	}

	/**
	 * Lets jobs in that somebody should have let in who died before. Looks at some keys.
	 * @param after the key to begin after
	 * @param found takes the queues that have new jobs to claim
	 * @return the last of them, or {@code null} if there are no more
	 */
	public @Nullable String admitForgotten(String after, Collection<String> found) {
		return this.database.query(ADMIT_FORGOTTEN, (row, index) -> {
			found.addAll(queues(row));
			return Optional.ofNullable(row.getString("last"));
		}, after, BATCH).get(0).orElse(null);
	}

	/**
	 * Forgets keys that are not in use. Looks at some.
	 * @param after the key to begin after
	 * @return the last of them, or {@code null} if there are no more
	 */
	public @Nullable String forgetKeys(String after) {
		@Nullable String last = this.database
			.query(KEYS_AFTER, (row, index) -> Optional.ofNullable(row.getString("last")), after, BATCH)
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
	 * What came of letting jobs with limit keys in.
	 *
	 * @param queues the queues that have new jobs to claim
	 * @param moved how many jobs were found due and now wait for their key or have it
	 * @param again how long from now the next token of a key comes; {@code null}: no job
	 * waits for one
	 */
	public record Admission(Set<String> queues, int moved, @Nullable Duration again) {

		/** Whether there is more to do at once. */
		public boolean unfinished() {
			return this.moved == LimitStore.BATCH;
		}

	}

}
