package io.pgqueue.autoconfigure;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.convert.DurationUnit;
import org.springframework.util.Assert;

/**
 * What meters and health show of the database.
 *
 * @param interval How often one of the processes measures the queue for all of them. If a
 * duration suffix is not specified, seconds will be used.
 * @param overdueAfter How long after its deadline, which is when it was due plus its
 * tolerance, a queued job counts as overdue. If a duration suffix is not specified,
 * seconds will be used.
 * @param maxNames How many queues and how many types have meters of their own; further
 * ones are counted together.
 */
@ConfigurationProperties("pgqueue.measurement")
public record MeasurementProperties(@DurationUnit(ChronoUnit.SECONDS) @DefaultValue("10s") Duration interval,
		@DurationUnit(ChronoUnit.SECONDS) @DefaultValue("1m") Duration overdueAfter,
		@DefaultValue("100") int maxNames) {

	public MeasurementProperties {
		PropertyCheck.of("pgqueue.measurement", () -> {
			Assert.isTrue(interval.toMillis() >= 100,
					() -> "interval must be 100 milliseconds or longer, not " + interval);
			Assert.isTrue(!overdueAfter.isNegative(), () -> "overdueAfter must not be negative: " + overdueAfter);
			Assert.isTrue(maxNames > 0, () -> "maxNames must be positive, not " + maxNames);
		});
	}

}
