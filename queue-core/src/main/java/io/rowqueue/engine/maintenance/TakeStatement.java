package io.rowqueue.engine.maintenance;

import java.time.Duration;
import java.util.Collection;
import java.util.Set;
import java.util.stream.Collectors;

import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.Sql;
import io.rowqueue.engine.database.WhenDue;
import io.rowqueue.engine.maintenance.MaintenanceStore.NextWork;
import io.rowqueue.engine.maintenance.MaintenanceStore.TasksTaken;

/**
 * Finds out for all tasks at once which of them are due, and takes those. Of the
 * processes that offer the same tasks, one queries at a time: it returns when the next
 * task is due as far as the database knows, and soon enough for what is not known yet.
 * The others return a moment later, and take over if it did not.
 */
final class TakeStatement {

	/** The shortest time between two looks. */
	private static final Duration SHORTEST = Duration.ofMillis(50);

	/** So much later than the process whose turn it is the others look. */
	static final Duration OTHERS_LOOK_AFTER = Duration.ofMillis(250);

	/**
	 * While all workers are idle, hardly anything changes but the time: what is done at
	 * each interval is done so much more rarely, and no look is needed for it alone.
	 */
	private static final int IDLE_FACTOR = 12;

	/**
	 * A time further ahead than an interval was written before the server's clock went
	 * back. A row that is locked is left alone: the process that locked it runs the task.
	 */
	private static final String TAKE = """
			with cluster as materialized (
				select idle, case when idle then ? else ? end * interval '1 microsecond' as longest
				from (select ? and coalesce((
					select bool_and(w.idle_interval > '0') from {schema}.worker w where w.dead_at is null), false) as idle) state),
			turn as materialized (
				select from {schema}.maintenance_task t, cluster
				where t.name = ? and (? or t.next_run_at <= clock_timestamp()
					or t.next_run_at > clock_timestamp() + cluster.longest)
				for update of t skip locked),
			due as materialized (
				select t.name, o.pause, greatest(
					case when t.next_run_at <= clock_timestamp() + o.pause then t.next_run_at else '-infinity' end,
					case when o.insists then '-infinity' else coalesce(case t.name
						%s
						else '-infinity'::timestamptz end, 'infinity') end) as at
				from (
					select o.name, o.insists,
						case when cluster.idle and o.periodic then greatest(o.micros * interval '%s microsecond', cluster.longest)
							else o.micros * interval '1 microsecond' end as pause
					from unnest(?::text[], ?::bigint[], ?::boolean[], ?::boolean[]) as o (name, micros, insists, periodic), cluster) o
				join {schema}.maintenance_task t on t.name = o.name
				where exists (select from turn)),
			free as materialized (
				select t.name from due join {schema}.maintenance_task t on t.name = due.name
				where due.at <= clock_timestamp()
					and (t.next_run_at <= clock_timestamp() or t.next_run_at > clock_timestamp() + due.pause)
				for update of t skip locked),
			taken as (
				update {schema}.maintenance_task t set next_run_at = clock_timestamp() + due.pause
				from due where t.name = due.name and t.name in (select name from free)
				returning t.name),
			next as (
				update {schema}.maintenance_task
				set next_run_at = least(clock_timestamp() + (select longest from cluster), greatest(
					clock_timestamp() + ? * interval '1 microsecond', (
						select min(case when taken.name is null then due.at else clock_timestamp() + due.pause end)
						from due left join taken on taken.name = due.name)))
				where name = ? and exists (select from turn)
				returning next_run_at)
			select array(select name from taken) as names, extract(epoch from coalesce((select next_run_at from next), (
				select greatest(next_run_at, clock_timestamp()) + ? * interval '1 microsecond'
				from {schema}.maintenance_task where name = ?)) - clock_timestamp()) as pause, (select idle from cluster) as idle""";

	private static final String NEXT_WORK = """
			with cluster as materialized (
				select coalesce((
					select bool_and(w.idle_interval > '0') from {schema}.worker w where w.dead_at is null), false) as idle)
			select cluster.idle, extract(epoch from next.at) - extract(epoch from clock_timestamp()) as seconds
			from cluster, (
				select min((case t.name
					%s end)::timestamptz) as at
				from {schema}.maintenance_task t) next""";

	private final QueueDatabase database;

	TakeStatement(QueueDatabase database) {
		this.database = database;
	}

	/**
	 * Takes the tasks that are due, if it is this process's turn.
	 * @param turn names the row that decides whose turn it is
	 * @param longest the maximum time until the next look
	 * @param idle the same while all workers are idle, if it is longer
	 * @param now whether it is this process's turn in any case, unless another one
	 * queries
	 */
	TasksTaken execute(String turn, Collection<Task> offers, Duration longest, Duration idle, boolean now) {
		// not kept: the tasks that are ready are others each time
		String take = Sql.in(this.database.schema(), TAKE.formatted(conditions(offers), IDLE_FACTOR));
		return this.database.jdbc().query(take, (statement) -> {
			statement.setLong(1, Sql.micros(idle));
			statement.setLong(2, Sql.micros(longest));
			statement.setBoolean(3, idle.compareTo(longest) > 0);
			statement.setString(4, turn);
			statement.setBoolean(5, now);
			statement.setArray(6, Sql.array(statement, "text", offers, Task::name));
			statement.setArray(7, Sql.array(statement, "bigint", offers, (offer) -> Sql.micros(offer.interval())));
			statement.setArray(8, Sql.array(statement, "boolean", offers, Task::insists));
			statement.setArray(9, Sql.array(statement, "boolean", offers, (offer) -> offer.due() == null));
			statement.setLong(10, Sql.micros(SHORTEST));
			statement.setString(11, turn);
			statement.setLong(12, Sql.micros(OTHERS_LOOK_AFTER));
			statement.setString(13, turn);
		}, (row, index) -> {
			Set<String> names = Set.of((String[]) row.getArray("names").getArray());
			Duration pause = Duration.ofNanos((long) (Math.max(0, row.getDouble("pause")) * 1e9));
			return new TasksTaken(names, row.wasNull() ? longest : pause, row.getBoolean("idle"));
		}).get(0);
	}

	NextWork nextWork(Collection<Task> offers) {
		return this.database.jdbc()
			.query(Sql.in(this.database.schema(), NEXT_WORK.formatted(conditions(offers))), (row, index) -> {
				boolean idle = row.getBoolean("idle");
				double seconds = row.getDouble("seconds");
				return new NextWork(idle, row.wasNull() ? null : Duration.ofNanos((long) (Math.max(0, seconds) * 1e9)));
			})
			.get(0);
	}

	private static String conditions(Collection<Task> offers) {
		String conditions = offers.stream()
			.filter((offer) -> offer.due() != null)
			.map(TakeStatement::condition)
			.collect(Collectors.joining("\n"));
		return conditions.isEmpty() ? "when '' then null" : conditions;
	}

	private static String condition(Task offer) {
		WhenDue due = offer.due();
		return "when '" + offer.name().replace("'", "''") + "' then " + ((due != null) ? due.sql() : "null");
	}

}
