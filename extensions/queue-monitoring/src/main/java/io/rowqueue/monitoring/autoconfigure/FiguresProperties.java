package io.rowqueue.monitoring.autoconfigure;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

import io.rowqueue.engine.figures.FiguresTask.KeptFigures;
import io.rowqueue.engine.support.PropertyCheck;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.convert.DurationUnit;
import org.springframework.util.Assert;

/**
 * Figures over time that the dashboard shows.
 *
 * @param enabled Whether to record figures over time.
 * @param minutes How long to keep figures by minute. If a duration suffix is not
 * specified, days will be used.
 * @param hours How long to keep figures by hour, the processes that ran, and errors that
 * no longer occur. If a duration suffix is not specified, days will be used.
 */
public record FiguresProperties(@DefaultValue("true") boolean enabled,
		@DurationUnit(ChronoUnit.DAYS) @DefaultValue("2d") Duration minutes,
		@DurationUnit(ChronoUnit.DAYS) @DefaultValue("90d") Duration hours) {

	private static final Duration MIN_MINUTES = Duration.ofHours(2);

	private static final Duration MAX_MINUTES = Duration.ofDays(14);

	public FiguresProperties {
		PropertyCheck.of("rowqueue.figures", () -> {
			Assert.isTrue(minutes.compareTo(MIN_MINUTES) >= 0 && minutes.compareTo(MAX_MINUTES) <= 0,
					() -> "minutes must be from 2 hours to 14 days, not " + minutes);
			Assert.isTrue(hours.compareTo(minutes) >= 0,
					() -> "hours must not be shorter than minutes: %s and %s".formatted(hours, minutes));
		});
	}

	/** Returns how long figures are kept. */
	public KeptFigures kept() {
		return new KeptFigures(this.minutes, this.hours);
	}

}
