package io.rowqueue.engine.limit;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.Sql;
import io.rowqueue.limit.Limit;
import io.rowqueue.limit.Limit.Rate;
import io.rowqueue.limit.LimitKind;
import io.rowqueue.limit.LimitView;
import org.jspecify.annotations.Nullable;

/**
 * Limits of queues, types and limit keys. All methods throw
 * {@link org.springframework.dao.DataAccessException} if the database rejects a statement
 * or is not available.
 */
public final class LimitStore {

	/**
	 * A limit that was set manually is not changed, and an equal limit is not written.
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

	/** Jobs that were admitted under the former limit may wait again. */
	private static final String RECHECK = "select {schema}.recheck_admitted(?)";

	private static final String REMOVE = """
			with removed as (delete from {schema}.job_limit where kind = ? and name = ? returning kind, name),
			slots as (delete from {schema}.job_slot s using removed r where s.kind = r.kind and s.name = r.name)
			select name from removed""";

	private static final String LIST = """
			select kind, name, concurrency, rate, extract(epoch from rate_period) * 1000000 as period, burst, ordered, source,
				changed_at, held, tokens
			from {schema}.limits order by kind, name""";

	private final QueueDatabase database;

	/**
	 * Creates the store.
	 * @param database runs each statement in a separate transaction
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
		boolean changed = this.database.update(SET, kind.label(), name, limit.concurrency(),
				(rate != null) ? rate.jobs() : null, (rate != null) ? Sql.micros(rate.period()) : null,
				(rate != null) ? rate.burst() : null, limit.ordered(), setManually ? "admin" : "properties") == 1;
		if (changed) {
			recheck(kind, name);
		}
		return changed;
	}

	private void recheck(LimitKind kind, String name) {
		if (kind == LimitKind.KEY) {
			this.database.query(RECHECK, (row, index) -> true, name);
		}
	}

	/** Removes a limit; returns false if it does not exist. */
	public boolean remove(LimitKind kind, String name) {
		boolean removed = !this.database.query(REMOVE, (row, index) -> row.getString("name"), kind.label(), name)
			.isEmpty();
		if (removed) {
			recheck(kind, name);
		}
		return removed;
	}

	/** Returns all limits, ordered by kind and name. */
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
		return Limit.of(Sql.integer(row, "concurrency"), rate).ordered(row.getBoolean("ordered"));
	}

}
