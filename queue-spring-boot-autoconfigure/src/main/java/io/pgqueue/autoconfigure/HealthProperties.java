package io.pgqueue.autoconfigure;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.convert.DurationUnit;

/**
 * When the queue is not well, and what that means for the application's health.
 *
 * @param status Status that is reported when something is wrong: degraded leaves the
 * overall health of the application as it is, down takes it down.
 * @param heartbeatAge Age of this process's latest heartbeat above which it is late. If a
 * duration suffix is not specified, seconds will be used.
 * @param oldestAge How long a job may have been due before its queue is reported. If a
 * duration suffix is not specified, seconds will be used.
 * @param stuckJobs Number of jobs held by dead workers from which on they are reported.
 * @param horizonAge Number of transactions that may begin while somebody keeps dead rows
 * from being removed.
 */
@ConfigurationProperties("pgqueue.health")
public record HealthProperties(@DefaultValue("degraded") WhenUnwell status,
		@DurationUnit(ChronoUnit.SECONDS) @DefaultValue("10s") Duration heartbeatAge,
		@DurationUnit(ChronoUnit.SECONDS) @DefaultValue("1h") Duration oldestAge, @DefaultValue("1") long stuckJobs,
		@DefaultValue("100000") long horizonAge) {

	/** What a problem of the queue is for the application. */
	public enum WhenUnwell {

		/** Something to look at. */
		DEGRADED,

		/** The application cannot do its work. */
		DOWN

	}

}
