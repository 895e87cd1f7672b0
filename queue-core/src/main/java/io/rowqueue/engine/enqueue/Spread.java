package io.rowqueue.engine.enqueue;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.ThreadLocalRandom;

import io.rowqueue.JobRequest;
import io.rowqueue.engine.database.Sql;

/**
 * Spreads the due times of the jobs of one call. Each is the golden ratio of the span
 * further than the one before, from a random beginning on, and continues at the beginning
 * of the span: however many jobs follow, they are spread evenly.
 */
final class Spread {

	private static final double GOLDEN_RATIO = 0.618033988749895;

	private double place = ThreadLocalRandom.current().nextDouble();

	/** Returns the request with its part of the span, if it has one. */
	JobRequest apply(JobRequest request) {
		Duration span = request.spreadOver();
		if (span.isZero()) {
			return request;
		}
		Duration part = Duration.of((long) (Sql.micros(span) * this.place), ChronoUnit.MICROS);
		this.place = (this.place + GOLDEN_RATIO) % 1;
		JobRequest single = request.spreadOver(Duration.ZERO);
		return (request.runAt() != null) ? single.runAt(request.runAt().plus(part))
				: single.delay(request.delay().plus(part));
	}

}
