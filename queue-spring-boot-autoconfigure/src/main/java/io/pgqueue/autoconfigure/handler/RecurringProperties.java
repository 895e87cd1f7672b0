package io.pgqueue.autoconfigure.handler;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;

import io.pgqueue.schedule.MissedPolicy;
import io.pgqueue.schedule.OverlapPolicy;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.convert.DurationUnit;

/**
 * Recurring jobs; what is set here outweighs what the annotation of the same name says.
 *
 * @param recurring Recurring jobs, by name.
 */
@ConfigurationProperties("pgqueue")
record RecurringProperties(@DefaultValue Map<String, Recurring> recurring) {

	/** The name of the properties of a recurring job, as it is written in a file. */
	static String property(String name) {
		return "pgqueue.recurring" + HandlerProperties.key(name);
	}

	/**
	 * A recurring job.
	 *
	 * @param enabled Whether it is declared at all.
	 * @param type Type of its jobs; needed unless an annotation has the same name.
	 * @param cron Cron expression of six fields, from seconds to days of the week.
	 * @param zone Time zone of the cron expression.
	 * @param every Time from one due time to the next, in place of a cron expression. If
	 * a duration suffix is not specified, seconds will be used.
	 * @param queue Queue of its jobs.
	 * @param priority Priority of its jobs.
	 * @param tolerance How long its jobs may wait once they are due. If a duration suffix
	 * is not specified, seconds will be used.
	 * @param maxAttempts How often its jobs are tried.
	 * @param limitKey Limit key of its jobs.
	 * @param payload Payload of its jobs, as JSON.
	 * @param missed What becomes of due times that passed while nobody was there.
	 * @param overlap What becomes of a due time while the job before it is not over.
	 * @param jitter By how much its jobs are put off at most. If a duration suffix is not
	 * specified, seconds will be used.
	 */
	record Recurring(@DefaultValue("true") boolean enabled, @Nullable String type, @Nullable String cron,
			@Nullable String zone, @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration every, @Nullable String queue,
			@Nullable Integer priority, @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration tolerance,
			@Nullable Integer maxAttempts, @Nullable String limitKey, @Nullable String payload,
			@Nullable MissedPolicy missed, @Nullable OverlapPolicy overlap,
			@DurationUnit(ChronoUnit.SECONDS) @Nullable Duration jitter) {

	}

}
