package io.rowqueue.engine.figures;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.Sql;

/**
 * Keeps what was measured by minute and hour. All methods throw
 * {@link org.springframework.dao.DataAccessException} if the database rejects a statement
 * or is not available.
 */
public final class GaugeStore {

	/** The number of jobs in a state. */
	public static final String JOBS = "jobs";

	/** How long the first job has been due, in seconds. */
	public static final String OLDEST_AGE = "oldest.age";

	/** The same of a queue and type; the state is the type. Kept by minute only. */
	public static final String OLDEST_AGE_OF_TYPE = "type.oldest.age";

	/** It is measured each time, so it shows when there was a measurement. */
	public static final String WORKERS = "workers";

	/** The number of dead rows in the table of jobs. */
	public static final String DEAD_ROWS = "dead.rows";

	/** The age of the oldest snapshot, in transactions. */
	public static final String HORIZON_AGE = "horizon.age";

	/** The figures that are kept. */
	private static final String SAMPLE = """
			with figure as materialized (
				select f.* from {schema}.measurement m cross join lateral
					jsonb_to_recordset(m.figures) f (name text, queue text, state text, value float8, text text)
				where m.measured_at > clock_timestamp() - interval '2 minutes'),
			sampled (name, queue, state, value) as (
				select name, queue, coalesce(state, ''), max(value) from figure
				where name in ('jobs', 'oldest.age') and queue is not null group by 1, 2, 3
				union all
				select name, '', coalesce(state, ''), case name when 'jobs' then sum(value) else max(value) end from figure
				where name in ('jobs', 'oldest.age') group by name, 3
				union all
				select name, '', '', max(value) from figure
				where name in ('workers', 'dead.rows', 'table.bytes', 'horizon.age') group by name
				union all
				select name, queue, text, max(value) from figure
				where name = 'type.oldest.age' and queue is not null and text is not null group by 1, 2, 3)
			insert into {schema}.gauge (seconds, name, queue, state, at, value, highest)
			select 60, name, queue, state, (select date_trunc('minute', clock_timestamp(), 'UTC')), value, value from sampled
			order by name, queue, state
			on conflict (seconds, name, queue, state, at) do update
				set value = excluded.value, highest = greatest(gauge.highest, excluded.highest)""";

	/** What has no row at a measurement was 0 then. */
	private static final String FOLD = """
			with next as materialized (
				select hour from (select date_trunc('hour', min(at), 'UTC') as hour from {schema}.gauge
					where seconds = 60 and name = 'workers' and queue = '' and state = ''
						and at >= coalesce((select max(at) + interval '1 hour' from {schema}.gauge
							where seconds = 3600 and name = 'workers' and queue = '' and state = ''), '-infinity')) first
				where hour + interval '1 hour' < clock_timestamp() - interval '5 minutes'),
			measured as (
				select count(*) as times from {schema}.gauge, next where seconds = 60 and name = 'workers' and queue = ''
					and state = '' and at >= next.hour and at < next.hour + interval '1 hour')
			insert into {schema}.gauge (seconds, name, queue, state, at, value, highest)
			select 3600, g.name, g.queue, g.state, next.hour, sum(g.value) / greatest(count(*), max(measured.times)),
				max(g.highest)
			from {schema}.gauge g, next, measured
			where g.seconds = 60 and g.at >= next.hour and g.at < next.hour + interval '1 hour' and g.name <> 'type.oldest.age'
			group by g.name, g.queue, g.state, next.hour
			on conflict do nothing""";

	private static final String READ = """
			select queue, state, at, value, highest from {schema}.gauge
			where seconds = ? and name = ? and queue = ? and at >= ?::timestamptz
			union all
			select queue, state, at, value, highest from {schema}.gauge
			where ? = 3600 and seconds = 60 and name = ? and queue = ? and at >= ?::timestamptz
				and at >= coalesce((select max(at) + interval '1 hour' from {schema}.gauge
					where seconds = 3600 and name = 'workers' and queue = '' and state = ''), '-infinity')""";

	/**
	 * Of the lanes that had a due job in one of some minutes, so that not all rows of a
	 * time are read. If there are more, those that were due longest.
	 */
	private static final String AGES_OF_TYPES = """
			with lane as materialized (
				select queue, state from {schema}.gauge
				where seconds = 60 and name = 'type.oldest.age' and at = any (array(
					select date_trunc('minute', clock_timestamp(), 'UTC') - minutes * interval '1 minute'
					from unnest(array[0, 1, 2, 10, 20, 30, 40, 50]) as minutes))
				group by queue, state order by max(highest) desc limit ?)
			select g.queue, g.state, g.at, g.value, g.highest from lane cross join lateral (
				select * from {schema}.gauge g where g.seconds = 60 and g.name = 'type.oldest.age' and g.queue = lane.queue
					and g.state = lane.state and g.at >= ?::timestamptz) g""";

	private static final String DELETE = """
			delete from {schema}.gauge where ctid = any (array(
				select ctid from {schema}.gauge
				where seconds = ? and at < clock_timestamp() - ? * interval '1 microsecond' order by at limit ?))""";

	private final QueueDatabase database;

	/**
	 * Creates the store.
	 * @param database runs each statement in a separate transaction
	 */
	public GaugeStore(QueueDatabase database) {
		this.database = database;
	}

	/**
	 * Keeps the latest measurement as that of the current minute; returns whether there
	 * was one.
	 */
	boolean sample() {
		return this.database.update(SAMPLE) > 0;
	}

	/** Sums up the next hour that has passed; returns whether there was one. */
	boolean foldHour() {
		return this.database.update(FOLD) > 0;
	}

	/** Deletes minutes that are older than this, at most {@code limit} rows. */
	int deleteMinutes(Duration age, int limit) {
		return this.database.update(DELETE, TallyStore.MINUTE, Sql.micros(age), limit);
	}

	/** Deletes hours that are older than this, at most {@code limit} rows. */
	int deleteHours(Duration age, int limit) {
		return this.database.update(DELETE, TallyStore.HOUR, Sql.micros(age), limit);
	}

	/**
	 * Returns a figure since a time, in all states.
	 * @param queue the queue, or empty for all
	 */
	public List<Gauge> read(String name, String queue, FigureRange range, Instant from) {
		int seconds = range.byHour() ? TallyStore.HOUR : TallyStore.MINUTE;
		return this.database.query(READ, (row, index) -> gauge(row), seconds, name, queue, from.toString(), seconds,
				name, queue, from.toString());
	}

	/**
	 * Returns how long the first jobs of each queue and type have been due, in the last
	 * hour.
	 */
	public List<Gauge> agesOfTypes(Instant from, int limit) {
		return this.database.query(AGES_OF_TYPES, (row, index) -> gauge(row), limit, from.toString());
	}

	private static Gauge gauge(ResultSet row) throws SQLException {
		return new Gauge(Objects.requireNonNull(row.getString("queue")), Objects.requireNonNull(row.getString("state")),
				Sql.time(row, "at"), row.getDouble("value"), row.getDouble("highest"));
	}

}
