package io.rowqueue.engine.schedule;

import java.util.List;
import java.util.Locale;

import io.rowqueue.JobState;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.Sql;
import io.rowqueue.schedule.ScheduledRun;
import io.rowqueue.schedule.ScheduledRun.Origin;
import io.rowqueue.schedule.Schedules;

/** The history of schedules: which jobs they have enqueued, and how these ended. */
final class RunsStatement {

	/** A job ends after it was enqueued, apart from a clock that was set back. */
	private static final String LATEST = """
			select r.job_id, r.due_at, r.enqueued_at, r.origin, coalesce(j.state, f.state)::text as state,
				coalesce(j.attempt, f.attempt, 0) as attempt, coalesce(j.leased_at, f.leased_at) as leased_at,
				case when j.id is null then f.finished_at when j.state = 'failed' then (
					select max(x.failed_at) from {schema}.job_failure x where x.job_id = r.job_id) end as finished_at
			from (select * from {schema}.schedule_run where name = ? order by job_id desc limit ?) r
			left join {schema}.job j on j.id = r.job_id
			left join lateral (
				select e.state, e.attempt, e.leased_at, e.finished_at from {schema}.job_finished e
				where e.id = r.job_id and e.finished_at > r.enqueued_at - interval '1 day' limit 1) f on j.id is null
			order by r.job_id desc""";

	private static final String PRUNE = """
			delete from {schema}.schedule_run r using (
				select s.name, (select o.job_id from {schema}.schedule_run o where o.name = s.name
					order by o.job_id desc offset %s limit 1) as job_id from {schema}.schedule s) old
			where r.name = old.name and r.job_id <= old.job_id""".formatted(Schedules.KEPT_RUNS);

	/** Of schedules that were removed while they enqueued. */
	private static final String PRUNE_REMOVED = """
			delete from {schema}.schedule_run r
			where not exists (select from {schema}.schedule s where s.name = r.name)""";

	private final QueueDatabase database;

	RunsStatement(QueueDatabase database) {
		this.database = database;
	}

	/** Returns the latest runs of a schedule. */
	List<ScheduledRun> latest(String name, int limit) {
		return this.database.query(LATEST, (row, index) -> {
			String state = row.getString("state");
			return new ScheduledRun(row.getLong("job_id"), Sql.time(row, "due_at"), Sql.time(row, "enqueued_at"),
					Origin.valueOf(row.getString("origin").toUpperCase(Locale.ROOT)),
					(state != null) ? JobState.of(state) : null, row.getInt("attempt"), Sql.instant(row, "leased_at"),
					Sql.instant(row, "finished_at"));
		}, name, limit);
	}

	/** Deletes the runs of each schedule that are no longer kept. */
	void prune() {
		this.database.update(PRUNE);
		this.database.update(PRUNE_REMOVED);
	}

}
