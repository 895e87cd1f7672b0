package io.pgqueue.autoconfigure.measurement;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

import io.pgqueue.autoconfigure.PropertyCheck;
import io.pgqueue.engine.enqueue.BulkPace;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.convert.DurationUnit;
import org.springframework.util.Assert;

/**
 * What is slowed down while the database cannot clean up.
 *
 * @param bulkEnqueue How long enqueueAll waits before each 1,000 jobs while an old
 * snapshot keeps more and more dead rows from being removed; at most 10s, and a minute
 * for one call. With 0, it does not wait. If a duration suffix is not specified, seconds
 * will be used.
 */
@ConfigurationProperties("pgqueue.slow-down")
record SlowDownProperties(@DurationUnit(ChronoUnit.SECONDS) @DefaultValue("0s") Duration bulkEnqueue) {

	SlowDownProperties {
		PropertyCheck.of("pgqueue.slow-down",
				() -> Assert.isTrue(!bulkEnqueue.isNegative() && bulkEnqueue.compareTo(BulkPace.LONGEST_PAUSE) <= 0,
						() -> "bulkEnqueue must be from 0s to " + BulkPace.LONGEST_PAUSE.toSeconds() + "s, not "
								+ bulkEnqueue));
	}

}
