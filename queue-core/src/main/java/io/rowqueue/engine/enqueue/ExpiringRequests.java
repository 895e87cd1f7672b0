package io.rowqueue.engine.enqueue;

import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;

import io.rowqueue.JobRequest;
import io.rowqueue.engine.support.SuspendAwareClock;
import org.jspecify.annotations.Nullable;

/**
 * Determines when jobs expire, by the database's clock. It is read every ten seconds at
 * most, and only for jobs that expire some time after their enqueue, or have a window.
 */
final class ExpiringRequests {

	private static final Duration READ_EVERY = Duration.ofSeconds(10);

	private final Supplier<Instant> clock;

	private volatile @Nullable Reading latest;

	ExpiringRequests(Supplier<Instant> clock) {
		this.clock = clock;
	}

	/** Returns the request with the time at which its job expires, if it does. */
	JobRequest date(JobRequest request) {
		Duration expiresIn = request.expiresIn();
		return (expiresIn != null) ? request.expiresAt(now().plus(expiresIn)) : request;
	}

	/** Returns the time of the database. */
	Instant now() {
		long nanos = SuspendAwareClock.nanoTime();
		Reading reading = this.latest;
		if (reading == null || nanos - reading.nanos() > READ_EVERY.toNanos()) {
			reading = new Reading(this.clock.get(), nanos);
			this.latest = reading;
		}
		return reading.time().plusNanos(nanos - reading.nanos());
	}

	/** The database's clock, and this machine's at the same time or a moment before. */
	private record Reading(Instant time, long nanos) {

	}

}
