package io.rowqueue.autoconfigure.worker;

import java.time.Duration;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/** Compares the maximum time of a worker's shutdown with the time that Spring waits. */
final class ShutdownCheck {

	private static final String SPRING = "spring.lifecycle.timeout-per-shutdown-phase";

	private static final Duration SPRING_DEFAULT = Duration.ofSeconds(30);

	/**
	 * The time after the timeout if the database responds slowly: interrupts (2 s), the
	 * last claims (3 s), the last writes (4 s), the end of the registration (1 s).
	 */
	private static final Duration LAST_STEPS = Duration.ofSeconds(10);

	private static final Logger logger = LoggerFactory.getLogger(ShutdownCheck.class);

	private ShutdownCheck() {
	}

	static void warnIfCutShort(Duration shutdownTimeout, Environment environment) {
		Duration spring = Binder.get(environment).bind(SPRING, Duration.class).orElse(SPRING_DEFAULT);
		if (shutdownTimeout.plus(LAST_STEPS).compareTo(spring) > 0) {
			logger.warn(
					"rowqueue.worker.shutdown-timeout is {} s, but {} is {} s: Spring would close connections while jobs"
							+ " still run or are being released. Set the first at least {} s lower than the second",
					shutdownTimeout.toSeconds(), SPRING, spring.toSeconds(), LAST_STEPS.toSeconds());
		}
	}

}
