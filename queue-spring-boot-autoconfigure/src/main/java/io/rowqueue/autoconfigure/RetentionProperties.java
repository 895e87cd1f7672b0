package io.rowqueue.autoconfigure;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;

import io.rowqueue.engine.history.Retention;
import io.rowqueue.engine.support.PropertyCheck;
import io.rowqueue.engine.support.PropertyName;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.convert.DurationUnit;

/**
 * How long to keep finished jobs.
 *
 * @param succeeded How long to keep succeeded jobs. With 0, they are not kept at all. If
 * a duration suffix is not specified, days will be used.
 * @param cancelled How long to keep cancelled jobs. If a duration suffix is not
 * specified, days will be used.
 * @param failed How long to keep jobs that failed permanently. If a duration suffix is
 * not specified, days will be used.
 * @param queues Queues with times of their own, by name.
 */
public record RetentionProperties(@DurationUnit(ChronoUnit.DAYS) @DefaultValue("7d") Duration succeeded,
		@DurationUnit(ChronoUnit.DAYS) @DefaultValue("7d") Duration cancelled,
		@DurationUnit(ChronoUnit.DAYS) @DefaultValue("30d") Duration failed, @DefaultValue Map<String, Queue> queues) {

	public RetentionProperties {
		PropertyCheck.of("rowqueue.retention", () -> new Retention.Ages(succeeded, cancelled, failed));
		Retention.Ages times = new Retention.Ages(succeeded, cancelled, failed);
		queues.forEach((name, queue) -> PropertyCheck.of(PropertyName.of("rowqueue.retention.queues", name),
				() -> queue.times(times)));
	}

	public Retention retention() {
		Retention.Ages times = new Retention.Ages(this.succeeded, this.cancelled, this.failed);
		Map<String, Retention.Ages> own = new LinkedHashMap<>();
		this.queues.forEach((name, queue) -> own.put(name, queue.times(times)));
		return new Retention(times, own, Map.of());
	}

	/**
	 * How long to keep finished jobs of one queue.
	 *
	 * @param succeeded How long to keep succeeded jobs of this queue.
	 * @param cancelled How long to keep cancelled jobs of this queue.
	 * @param failed How long to keep jobs of this queue that failed permanently.
	 */
	public record Queue(@DurationUnit(ChronoUnit.DAYS) @Nullable Duration succeeded,
			@DurationUnit(ChronoUnit.DAYS) @Nullable Duration cancelled,
			@DurationUnit(ChronoUnit.DAYS) @Nullable Duration failed) {

		private Retention.Ages times(Retention.Ages others) {
			return new Retention.Ages((this.succeeded != null) ? this.succeeded : others.succeeded(),
					(this.cancelled != null) ? this.cancelled : others.cancelled(),
					(this.failed != null) ? this.failed : others.failed());
		}

	}

}
