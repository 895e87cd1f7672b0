package io.rowqueue.schedule.autoconfigure;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Set;

import io.rowqueue.schedule.ExcludedPolicy;
import io.rowqueue.schedule.MissedPolicy;
import io.rowqueue.schedule.OverlapPolicy;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.convert.DurationUnit;

/**
 * A recurring job.
 *
 * @param enabled Whether the recurring job is declared at all.
 * @param type Type of its jobs; required unless an annotation declares the same name.
 * @param cron Cron expression with six fields, from seconds to days of the week, or with
 * five fields, from minutes to days of the week.
 * @param zone Time zone of the cron expression.
 * @param every Interval between due times, instead of a cron expression. If a duration
 * suffix is not specified, seconds will be used.
 * @param queue Queue of its jobs.
 * @param priority Priority of its jobs.
 * @param tolerance Tolerance of its jobs: how long they may wait once they are due. If a
 * duration suffix is not specified, seconds will be used.
 * @param maxAttempts Maximum attempts of its jobs.
 * @param limitKey Limit key of its jobs.
 * @param tags Tags of its jobs.
 * @param headers Headers of its jobs, by name.
 * @param expiresIn How long after their enqueue its jobs are cancelled if they have not
 * begun. If a duration suffix is not specified, seconds will be used.
 * @param onFailure Type of a job without a payload that is enqueued, in the same queue,
 * if one of its jobs fails permanently.
 * @param payload Payload of its jobs, as JSON.
 * @param missed What to do about due times that passed while no worker was running.
 * @param overlap What to do about a due time while the previous job has not finished.
 * @param jitter Maximum delay that spreads its jobs after their due times. If a duration
 * suffix is not specified, seconds will be used.
 * @param from First possible due time, such as 2026-12-01T08:00:00Z, or a local date or
 * time in the time zone.
 * @param until End of the due times, in the same form: all due times are before.
 * @param calendar Calendar of its due times: one of rowqueue.calendars, or a JobCalendar
 * bean.
 * @param excluded What to do about a due time on a day that the calendar excludes.
 */
public record RecurringJobProperties(@DefaultValue("true") boolean enabled, @Nullable String type,
		@Nullable String cron, @Nullable String zone, @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration every,
		@Nullable String queue, @Nullable Integer priority,
		@DurationUnit(ChronoUnit.SECONDS) @Nullable Duration tolerance, @Nullable Integer maxAttempts,
		@Nullable String limitKey, @Nullable Set<String> tags, @DefaultValue Map<String, String> headers,
		@DurationUnit(ChronoUnit.SECONDS) @Nullable Duration expiresIn, @Nullable String onFailure,
		@Nullable String payload, @Nullable MissedPolicy missed, @Nullable OverlapPolicy overlap,
		@DurationUnit(ChronoUnit.SECONDS) @Nullable Duration jitter, @Nullable String from, @Nullable String until,
		@Nullable String calendar, @Nullable ExcludedPolicy excluded) {

}
