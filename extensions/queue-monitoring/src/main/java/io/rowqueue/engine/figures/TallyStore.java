package io.rowqueue.engine.figures;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Objects;
import java.util.Optional;
import java.util.function.ToLongFunction;

import io.rowqueue.engine.database.Parameters;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.Sql;
import io.rowqueue.engine.support.Causes;

/**
 * Adds up and reads what ended by minute and hour. The database's clock decides to which
 * minute something belongs. All methods throw
 * {@link org.springframework.dao.DataAccessException} if the database rejects a statement
 * or is not available.
 */
public final class TallyStore {

	/** The seconds of a minute, as they are stored. */
	static final int MINUTE = 60;

	/** The seconds of an hour, as they are stored. */
	static final int HOUR = 3600;

	/** The minutes of an hour are complete when each process has added its own. */
	private static final String FOLD_AFTER = "interval '5 minutes'";

	private static final String SUM = """
			(select coalesce(array_agg(coalesce(a, 0) + coalesce(b, 0) order by i), '{}')
				from unnest(t.%1$s, excluded.%1$s) with ordinality as both_of (a, b, i))""";

	/** Rows are locked in one order by all processes. */
	private static final String ADD = """
			insert into {schema}.tally as t (seconds, kind, name, at, version, enqueued, succeeded, retried, failed, cancelled,
				snoozed, waits, runs)
			select ?, kind, name, (select %s), version, enqueued, succeeded, retried, failed, cancelled, snoozed,
				waits::bigint[], runs::bigint[]
			from unnest(?::text[], ?::text[], ?::text[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[],
				?::bigint[], ?::text[], ?::text[]) as given
				(kind, name, version, enqueued, succeeded, retried, failed, cancelled, snoozed, waits, runs)
			order by kind, name, version
			on conflict (seconds, kind, name, at, version) do %s""";

	private static final String SUM_UP = """
			update set
				enqueued = t.enqueued + excluded.enqueued, succeeded = t.succeeded + excluded.succeeded,
				retried = t.retried + excluded.retried, failed = t.failed + excluded.failed,
				cancelled = t.cancelled + excluded.cancelled, snoozed = t.snoozed + excluded.snoozed,
				waits = %s, runs = %s""".formatted(SUM.formatted("waits"), SUM.formatted("runs"));

	/** The middle of the time that was counted decides, so that it is in its minute. */
	private static final String ADD_MINUTE = ADD
		.formatted("date_trunc('minute', clock_timestamp() - ? * interval '1 microsecond', 'UTC')", SUM_UP);

	/** What is there already is the same hour, which another process has summed up. */
	private static final String ADD_HOUR = ADD.formatted("?::timestamptz", "nothing");

	/** The hour after the last one that is folded. */
	private static final String UNFOLDED_FROM = """
			coalesce((select max(at) + interval '1 hour' from {schema}.tally
				where seconds = 3600 and kind = 'all' and name = ''), '-infinity')""";

	private static final String NEXT_TO_FOLD = """
			select hour from (select date_trunc('hour', min(at), 'UTC') as hour from {schema}.tally
				where seconds = 60 and kind = 'all' and name = '' and at >= %s) next
			where hour + interval '1 hour' < clock_timestamp() - %s""".formatted(UNFOLDED_FROM, FOLD_AFTER);

	private static final String COLUMNS = """
			name, at, version, enqueued, succeeded, retried, failed, cancelled, snoozed, waits, runs""";

	private static final String MINUTES_OF_HOUR = """
			select kind, %s from {schema}.tally
			where seconds = 60 and at >= ?::timestamptz and at < ?::timestamptz + interval '1 hour' and kind <> 'error'"""
		.formatted(COLUMNS);

	private static final String READ = """
			select %1$s from {schema}.tally
			where seconds = ? and kind = ? and name = any (?) and at >= ?::timestamptz
			union all
			select %1$s from {schema}.tally
			where ? = 3600 and seconds = 60 and kind = ? and name = any (?) and at >= ?::timestamptz and at >= %2$s"""
		.formatted(COLUMNS, UNFOLDED_FROM);

	/** Names are found one after the other by the index, and not by reading all rows. */
	private static final String NAMES = """
			with recursive known as (
				(select name from {schema}.tally where seconds = ? and kind = ? order by name limit 1)
				union all
				select (select name from {schema}.tally where seconds = ? and kind = ? and name > known.name order by name limit 1)
				from known where known.name is not null)
			select name from known where name is not null limit ?""";

	private static final String DELETE = """
			delete from {schema}.tally where ctid = any (array(
				select ctid from {schema}.tally
				where seconds = ? and at < clock_timestamp() - ? * interval '1 microsecond' order by at limit ?))""";

	private static final String INSUFFICIENT_PRIVILEGE = "42501";

	private final QueueDatabase database;

	/**
	 * Creates the store.
	 * @param database runs each statement in a separate transaction
	 */
	public TallyStore(QueueDatabase database) {
		this.database = database;
	}

	/**
	 * Adds what this process has counted.
	 * @param counts what was counted
	 * @param age how long ago that was on average
	 */
	void add(Map<TallyKey, Counts> counts, Duration age) {
		List<Entry<TallyKey, Counts>> rows = sorted(counts);
		this.database.update(ADD_MINUTE,
				(statement) -> bind(new Parameters(statement).integer(MINUTE).number(Sql.micros(age)), rows));
	}

	private void addHour(Map<TallyKey, Counts> counts, Instant hour) {
		List<Entry<TallyKey, Counts>> rows = sorted(counts);
		this.database.update(ADD_HOUR, (statement) -> {
			statement.setInt(1, HOUR);
			statement.setString(2, hour.toString());
			bind(new Parameters(statement, 3), rows);
		});
	}

	private static List<Entry<TallyKey, Counts>> sorted(Map<TallyKey, Counts> counts) {
		return counts.entrySet()
			.stream()
			.sorted(Comparator.comparing((Entry<TallyKey, Counts> row) -> row.getKey().kind())
				.thenComparing((row) -> row.getKey().name()))
			.toList();
	}

	/**
	 * PostgreSQL has no arrays of arrays of different lengths: those are sent as texts.
	 */
	private static void bind(Parameters parameters, List<Entry<TallyKey, Counts>> rows) throws SQLException {
		parameters.texts(rows.stream().map((row) -> row.getKey().kind()).toList())
			.texts(rows.stream().map((row) -> row.getKey().name()).toList())
			.texts(rows.stream().map((row) -> row.getKey().version()).toList());
		for (ToLongFunction<Counts> number : List.<ToLongFunction<Counts>>of(Counts::enqueued, Counts::succeeded,
				Counts::retried, Counts::failed, Counts::cancelled, Counts::snoozed)) {
			parameters.numbers(rows.stream().map((row) -> number.applyAsLong(row.getValue())).toList());
		}
		parameters.texts(rows.stream().map((row) -> row.getValue().waits().toString()).toList())
			.texts(rows.stream().map((row) -> row.getValue().runs().toString()).toList());
	}

	/**
	 * Sums up the minutes of the next hour that has passed.
	 * @return whether there was one
	 */
	boolean foldHour() {
		Optional<Instant> next = this.database.query(NEXT_TO_FOLD, (row, index) -> Sql.time(row, "hour"))
			.stream()
			.findFirst();
		next.ifPresent((hour) -> {
			Map<TallyKey, Counts> sums = new HashMap<>();
			this.database.forEach(MINUTES_OF_HOUR, (row) -> {
				Tally tally = tally(row);
				sums.merge(new TallyKey(row.getString("kind"), tally.name(), tally.version()), tally.counts(),
						Counts::plus);
			}, hour.toString(), hour.toString());
			addHour(sums, hour);
		});
		return next.isPresent();
	}

	/** Deletes minutes that are older than this, at most {@code limit} rows. */
	int deleteMinutes(Duration age, int limit) {
		return this.database.update(DELETE, MINUTE, Sql.micros(age), limit);
	}

	/** Deletes hours that are older than this, at most {@code limit} rows. */
	int deleteHours(Duration age, int limit) {
		return this.database.update(DELETE, HOUR, Sql.micros(age), limit);
	}

	/** Returns what happened to all jobs since a time. */
	public List<Tally> ofAll(FigureRange range, Instant from) {
		return read(TallyKey.ALL, List.of(""), range, from);
	}

	/** Returns what happened to the jobs of queues since a time. */
	public List<Tally> ofQueues(List<String> names, FigureRange range, Instant from) {
		return read(TallyKey.QUEUE, names, range, from);
	}

	/** Returns what happened to the jobs of types since a time. */
	public List<Tally> ofTypes(List<String> names, FigureRange range, Instant from) {
		return read(TallyKey.TYPE, names, range, from);
	}

	/** Returns the failures of groups of errors by hour, named by their ids. */
	public List<Tally> ofErrors(List<String> ids, Instant from) {
		return read("error", ids, FigureRange.WEEK, from);
	}

	/** Returns the types that were counted in hours, at most {@code limit}. */
	public List<String> types(int limit) {
		return this.database.query(NAMES, (row, index) -> row.getString("name"), HOUR, TallyKey.TYPE, HOUR,
				TallyKey.TYPE, limit);
	}

	/** Returns whether the role lacks a privilege. */
	static boolean isRefused(Throwable error) {
		return Causes.find(error, SQLException.class)
			.filter((cause) -> INSUFFICIENT_PRIVILEGE.equals(cause.getSQLState()))
			.isPresent();
	}

	private List<Tally> read(String kind, List<String> names, FigureRange range, Instant from) {
		List<Tally> found = new ArrayList<>();
		this.database.query(READ, (statement) -> {
			int seconds = range.byHour() ? HOUR : MINUTE;
			for (int part = 0; part < 2; part++) {
				statement.setInt(4 * part + 1, seconds);
				statement.setString(4 * part + 2, kind);
				statement.setArray(4 * part + 3, Sql.array(statement, "text", names, (name) -> name));
				statement.setString(4 * part + 4, from.toString());
			}
		}, (row) -> found.add(tally(row)));
		return found;
	}

	private static Tally tally(ResultSet row) throws SQLException {
		return new Tally(Objects.requireNonNull(row.getString("name")), Sql.time(row, "at"),
				Objects.requireNonNull(row.getString("version")),
				new Counts(row.getLong("enqueued"), row.getLong("succeeded"), row.getLong("retried"),
						row.getLong("failed"), row.getLong("cancelled"), row.getLong("snoozed"),
						histogram(row, "waits"), histogram(row, "runs")));
	}

	private static Histogram histogram(ResultSet row, String column) throws SQLException {
		Long[] values = (Long[]) row.getArray(column).getArray();
		long[] numbers = new long[values.length];
		for (int i = 0; i < values.length; i++) {
			numbers[i] = values[i];
		}
		return Histogram.of(numbers);
	}

}
