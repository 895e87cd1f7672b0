package io.rowqueue.engine.schedule;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

import io.rowqueue.engine.database.Sql;
import io.rowqueue.schedule.ExcludedPolicy;
import io.rowqueue.schedule.MissedPolicy;
import io.rowqueue.schedule.Occurrences;
import io.rowqueue.schedule.OverlapPolicy;
import io.rowqueue.schedule.Rhythm;
import io.rowqueue.schedule.ScheduleStatus;
import io.rowqueue.schedule.ScheduleStatus.Source;
import io.rowqueue.schedule.ScheduleStatus.State;
import io.rowqueue.schedule.Validity;

/** The columns of schedules that statements read, and what their rows contain. */
final class ScheduleColumnsStatement {

	/** The columns of {@link #occurrences} of a row {@code s}, and its durations. */
	static final String COLUMNS = """
			s.cron, s.zone, extract(epoch from s.every) as every_seconds, extract(epoch from s.jitter) as jitter_seconds,
			extract(epoch from s.tolerance) as tolerance_seconds, s.starts_at, s.ends_at, s.calendar, s.excluded""";

	private ScheduleColumnsStatement() {
	}

	static ScheduleStatus status(ResultSet row, CalendarDaysStatement calendars) throws SQLException {
		Instant pausedAt = Sql.instant(row, "paused_at");
		Instant nextRunAt = Sql.instant(row, "next_run_at");
		State state = (nextRunAt == null) ? State.ENDED : State.ACTIVE;
		state = row.getBoolean("disabled") ? State.DISABLED : state;
		state = (pausedAt != null) ? State.PAUSED : state;
		return new ScheduleStatus(row.getString("name"), state, occurrences(row, calendars), row.getString("type"),
				row.getString("queue"), row.getInt("priority"), duration(row, "tolerance_seconds"),
				Sql.integer(row, "max_attempts"), row.getString("limit_key"), row.getString("payload"),
				MissedPolicy.valueOf(upper(row, "missed")), OverlapPolicy.valueOf(upper(row, "overlap")),
				duration(row, "jitter_seconds"), Source.valueOf(upper(row, "source")), nextRunAt,
				Sql.instant(row, "last_due_at"), Sql.instant(row, "last_run_at"),
				row.getObject("last_job_id", Long.class), Sql.instant(row, "last_skipped_at"), pausedAt,
				row.getString("pause_reason"), Sql.instant(row, "undeclared_at"));
	}

	static DueSchedule due(ResultSet row, CalendarDaysStatement calendars) throws SQLException {
		return new DueSchedule(row.getString("name"), row.getLong("revision"), occurrences(row, calendars),
				MissedPolicy.valueOf(upper(row, "missed")), duration(row, "jitter_seconds"),
				Sql.time(row, "next_run_at"), Sql.time(row, "now"));
	}

	static Occurrences occurrences(ResultSet row, CalendarDaysStatement calendars) throws SQLException {
		String calendar = row.getString("calendar");
		Validity validity = new Validity(Sql.instant(row, "starts_at"), Sql.instant(row, "ends_at"), calendar,
				(calendar != null) ? ExcludedPolicy.valueOf(upper(row, "excluded")) : ExcludedPolicy.SKIP);
		return new Occurrences(rhythm(row), validity, calendars.named(calendar));
	}

	private static Rhythm rhythm(ResultSet row) throws SQLException {
		String cron = row.getString("cron");
		return (cron != null) ? Rhythm.cron(cron, row.getString("zone")) : Rhythm.every(duration(row, "every_seconds"));
	}

	private static Duration duration(ResultSet row, String column) throws SQLException {
		return Duration.ofNanos(Math.round(row.getDouble(column) * 1_000_000) * 1000);
	}

	private static String upper(ResultSet row, String column) throws SQLException {
		return row.getString(column).toUpperCase(Locale.ROOT);
	}

}
