package io.rowqueue.engine.database;

import java.sql.Array;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

import io.rowqueue.schema.SchemaName;
import org.jspecify.annotations.Nullable;

/** Replaces placeholders in statements, and converts arrays and times. */
public final class Sql {

	/** The quoted name of the schema, also at the beginning of a literal. */
	static final String SCHEMA = "{schema}";

	/**
	 * The condition that no worker has claimed a job. Claimed jobs stay in the index of
	 * queued ones. It is a case expression, since the planner assumes that few rows meet
	 * an equation, and would sort them all instead of reading the first ones in the order
	 * of the index.
	 */
	static final String UNCLAIMED = "{unclaimed}";

	private static final String IS_OVER = """
			not exists (select from unnest(c.job_ids) as claimed (id) join {schema}.job on job.id = claimed.id
				where job.worker_id = c.worker_id)""";

	/**
	 * The condition that the worker of a claim {@code c} no longer holds any of its jobs.
	 * It reads each of them.
	 */
	static final String OVER = "{over}";

	/**
	 * A condition that is always true and limits how long the statement waits for a lock,
	 * regardless of the session's setting. For statements that write the ends of many
	 * jobs, which should skip a locked row and not wait for it.
	 */
	public static final String BRIEFLY = "{briefly}";

	/**
	 * The condition that a worker holds the leases of jobs, with the parameters of
	 * {@link Parameters#leases}: the ids, the worker, the tokens, and the ids again.
	 */
	static final String HELD = "{held}";

	private static final String IS_HELD = """
			id = any (?) and worker_id = ? and lease = (?::integer[])[array_position(?::bigint[], id)]""";

	/**
	 * The condition that a row {@code p} of the pauses prevents claims: the queue or type
	 * is paused, or its window is closed.
	 */
	static final String CLOSED = "{closed}";

	private static final String IS_CLOSED = """
			(p.open_from is null or clock_timestamp() < p.open_from or clock_timestamp() >= p.open_until)""";

	/**
	 * The position of a job in its lane: its due time plus its tolerance.
	 */
	static final String ORDER_AT = "{order_at}";

	private static final String IS_ORDER_AT = "run_at + coalesce(tolerance, interval '0')";

	/**
	 * The assignments with which a claim updates a row {@code j}; the only parameter is
	 * the worker.
	 */
	static final String STARTING = "{starting}";

	private static final String IS_STARTING = """
			state = 'starting', attempt = least(j.attempt, 32766) + 1, lease = j.lease + 1, worker_id = ?, leased_at = clock_timestamp()""";

	private static final String WAIT_BRIEFLY = "(select set_config('lock_timeout', '200ms', true)) is not null";

	/**
	 * The column {@code slots} of a worker {@code w} in the form that {@link #numbers}
	 * reads.
	 */
	static final String SLOTS = "{slots}";

	private static final String READ_SLOTS = "array(select s.value || ' ' || s.key from jsonb_each_text(w.slots) s)";

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
			.replace(SLOTS, READ_SLOTS)
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
	 * Arrays of these types are sent in binary form; others are sent as text.
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

	/** Returns the time in a column that is never null. */
	public static Instant time(ResultSet row, String column) throws SQLException {
		Timestamp time = row.getTimestamp(column);
		return time.toInstant();
	}

	/** Returns a time in a format that PostgreSQL reads, independent of the calendar. */
	public static @Nullable String text(@Nullable Instant time) {
		return (time != null) ? time.toString() : null;
	}

	/** Returns the numbers in an array of texts, each a number, a space and its name. */
	public static Map<String, Integer> numbers(ResultSet row, String column) throws SQLException {
		Map<String, Integer> numbers = new TreeMap<>();
		for (String number : (String[]) row.getArray(column).getArray()) {
			int end = number.indexOf(' ');
			numbers.put(number.substring(end + 1), Integer.valueOf(number.substring(0, end)));
		}
		return numbers;
	}

	public static @Nullable Integer integer(ResultSet row, String column) throws SQLException {
		int value = row.getInt(column);
		return row.wasNull() ? null : value;
	}

	/** Returns a duration in microseconds, or {@code null} if there is none. */
	public static @Nullable Long microsOrNull(@Nullable Duration duration) {
		return (duration != null) ? micros(duration) : null;
	}

	/** Returns a duration in microseconds. */
	public static long micros(Duration duration) {
		return Math.addExact(Math.multiplyExact(duration.getSeconds(), 1_000_000L), duration.getNano() / 1000);
	}

}
