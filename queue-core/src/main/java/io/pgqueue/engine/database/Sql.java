package io.pgqueue.engine.database;

import java.sql.Array;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.function.Function;

import io.pgqueue.schema.SchemaName;
import org.jspecify.annotations.Nullable;

/** Puts the schema into statements, and moves arrays and times in and out of them. */
public final class Sql {

	/** Stands for the quoted name of the schema, also at the beginning of a literal. */
	static final String SCHEMA = "{schema}";

	/**
	 * Stands for the condition that no worker has claimed a job, which a claim leaves in
	 * the index of those that are queued. It is a case, since the planner takes an
	 * equation for one that few rows meet, and would sort them all instead of reading the
	 * first ones in the order of the index.
	 */
	static final String UNCLAIMED = "{unclaimed}";

	private static final String IS_OVER = """
			not exists (select from unnest(c.job_ids) as claimed (id) join {schema}.job on job.id = claimed.id
				where job.worker_id = c.worker_id)""";

	/**
	 * Stands for the condition that the worker of a claim {@code c} holds none of its
	 * jobs any more. It looks at each of them.
	 */
	static final String OVER = "{over}";

	/**
	 * Stands for a condition that is always true and lets the statement wait for a lock
	 * only briefly, whatever the session's limit is. For statements that write the ends
	 * of many jobs: a row that somebody else has locked is to be left out, not waited
	 * for.
	 */
	public static final String BRIEFLY = "{briefly}";

	/**
	 * Stands for the condition that a worker holds the leases of jobs, which
	 * {@link Parameters#leases} binds: their ids, the worker, their tokens, and their ids
	 * again.
	 */
	static final String HELD = "{held}";

	private static final String IS_HELD = """
			id = any (?) and worker_id = ? and lease = (?::integer[])[array_position(?::bigint[], id)]""";

	/**
	 * Stands for the condition that a row {@code p} of the pauses stops claims: somebody
	 * has paused the queue or the type, or its window is closed.
	 */
	static final String CLOSED = "{closed}";

	private static final String IS_CLOSED = """
			(p.open_from is null or clock_timestamp() < p.open_from or clock_timestamp() >= p.open_until)""";

	/**
	 * Stands for the place of a job in its lane: when it is due, and its tolerance later.
	 */
	static final String ORDER_AT = "{order_at}";

	private static final String IS_ORDER_AT = "run_at + coalesce(tolerance, interval '0')";

	/**
	 * Stands for what a claim writes into a row {@code j}; its one parameter is the
	 * worker.
	 */
	static final String STARTING = "{starting}";

	private static final String IS_STARTING = """
			state = 'starting', attempt = least(j.attempt, 32766) + 1, lease = j.lease + 1, worker_id = ?, leased_at = clock_timestamp()""";

	private static final String WAIT_BRIEFLY = "(select set_config('lock_timeout', '200ms', true)) is not null";

	private Sql() {
	}

	public static String in(SchemaName schema, String statement) {
		String quoted = schema.quoted();
		return statement.replace(UNCLAIMED, "case when worker_id is null then true else false end")
			.replace(OVER, IS_OVER)
			.replace(BRIEFLY, WAIT_BRIEFLY)
			.replace(HELD, IS_HELD)
			.replace(STARTING, IS_STARTING)
			.replace(ORDER_AT, IS_ORDER_AT)
			.replace(CLOSED, IS_CLOSED)
			.replace("'" + SCHEMA, "'" + quoted.replace("'", "''"))
			.replace(SCHEMA, quoted);
	}

	public static <T> Array array(PreparedStatement statement, String type, Collection<T> values,
			Function<T, @Nullable Object> value) throws SQLException {
		@Nullable Object[] array = newArray(type, values.size());
		int i = 0;
		for (T each : values) {
			array[i++] = value.apply(each);
		}
		return statement.getConnection().createArrayOf(type, array);
	}

	/**
	 * Arrays of these types are sent as they are; others become text, character by
	 * character.
	 */
	private static @Nullable Object[] newArray(String type, int size) {
		return switch (type) {
			case "text" -> new String[size];
			case "bigint" -> new Long[size];
			case "integer" -> new Integer[size];
			default -> new @Nullable Object[size];
		};
	}

	public static @Nullable Instant instant(ResultSet row, String column) throws SQLException {
		OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
		return (time != null) ? time.toInstant() : null;
	}

	/** The time in a column that is never null. */
	public static Instant time(ResultSet row, String column) throws SQLException {
		Timestamp time = row.getTimestamp(column);
		return time.toInstant();
	}

	/** A time as PostgreSQL reads it, whatever its calendar. */
	public static @Nullable String text(@Nullable Instant time) {
		return (time != null) ? time.toString() : null;
	}

	public static @Nullable Integer integer(ResultSet row, String column) throws SQLException {
		int value = row.getInt(column);
		return row.wasNull() ? null : value;
	}

	/** A duration as PostgreSQL counts time. */
	public static long micros(Duration duration) {
		return Math.addExact(Math.multiplyExact(duration.getSeconds(), 1_000_000L), duration.getNano() / 1000);
	}

}
