package io.rowqueue.engine.limit;

import java.time.Duration;
import java.util.List;

import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.Sql;
import io.rowqueue.limit.Hold;
import io.rowqueue.limit.LimitKind;
import org.jspecify.annotations.Nullable;

/**
 * Holds of queues, types and limit keys. All methods throw
 * {@link org.springframework.dao.DataAccessException} if the database rejects a statement
 * or is not available.
 */
public final class HoldStore {

	private static final String HOLD = """
			select {schema}.hold(?, ?, clock_timestamp() + ? * interval '1 microsecond', ?)""";

	private static final String RELEASE = """
			with released as (
				delete from {schema}.pause where kind = ? and name = ? and source = ':hold' and open_from > clock_timestamp()
				returning kind, name),
			admitted as (
				update {schema}.job_key k set next_at = clock_timestamp() from released r
				where r.kind = 'key' and k.limit_key = r.name)
			select kind from released""";

	private static final String LIST = """
			select kind, name, paused_at, reason, open_from from {schema}.pause
			where source = ':hold' and open_from > clock_timestamp() order by kind, name""";

	private final QueueDatabase database;

	/**
	 * Creates the store.
	 * @param database runs each statement in a separate transaction
	 */
	public HoldStore(QueueDatabase database) {
		this.database = database;
	}

	/** Holds a queue, a type or a limit key for some time. */
	public void hold(LimitKind kind, String name, Duration time, @Nullable String reason) {
		this.database.query(HOLD, (row, index) -> true, kind.label(), name, Sql.micros(time), reason);
	}

	/** Ends a hold; returns whether there was one. */
	public boolean release(LimitKind kind, String name) {
		return !this.database.query(RELEASE, (row, index) -> true, kind.label(), name).isEmpty();
	}

	/** Returns what is held, ordered by kind and name. */
	public List<Hold> list() {
		return this.database.query(LIST,
				(row, index) -> new Hold(LimitKind.of(row.getString("kind")), row.getString("name"),
						Sql.time(row, "paused_at"), Sql.time(row, "open_from"), row.getString("reason")));
	}

}
