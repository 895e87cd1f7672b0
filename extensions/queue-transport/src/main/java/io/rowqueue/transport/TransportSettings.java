package io.rowqueue.transport;

import java.time.Duration;

import org.springframework.util.Assert;
import org.springframework.util.unit.DataSize;

/**
 * How the queue uses a transport.
 *
 * @param carryNewJobs whether new jobs are handed to the broker; if not, they are stored
 * in the database as without a transport, and only what the broker has is run
 * @param direct whether a single job that is enqueued outside of a transaction is
 * published at once, without the outbox of the database
 * @param parkAfter how long a job may wait or run in a process before the database takes
 * it over from the broker
 * @param maxPayloadSize the largest payload that is carried, in bytes of UTF-8
 * @param keepHistory whether jobs that have succeeded are stored in the history
 * @param fallbackAfter how long the broker must have been away for jobs to run from the
 * database instead; zero: they wait for the broker
 * @param maxParkedPerSecond how many jobs a second one process parks before it receives
 * fewer of them, so that they wait in the broker
 */
public record TransportSettings(boolean carryNewJobs, boolean direct, Duration parkAfter, DataSize maxPayloadSize,
		boolean keepHistory, Duration fallbackAfter, int maxParkedPerSecond) {

	/** The settings of a transport that has none of its own. */
	public static final TransportSettings DEFAULT = new TransportSettings(true, false, Duration.ofSeconds(2),
			DataSize.ofKilobytes(256), false, Duration.ofMinutes(5), 1000);

	/**
	 * Checks every value.
	 * @throws IllegalArgumentException naming the value that is wrong and what is allowed
	 */
	public TransportSettings {
		Assert.isTrue(parkAfter.toMillis() > 0, () -> "parkAfter must be a millisecond or longer, not " + parkAfter);
		Assert.isTrue(maxPayloadSize.toBytes() > 0, () -> "maxPayloadSize must be positive, not " + maxPayloadSize);
		Assert.isTrue(!fallbackAfter.isNegative(), () -> "fallbackAfter must not be negative: " + fallbackAfter);
		Assert.isTrue(maxParkedPerSecond > 0, () -> "maxParkedPerSecond must be positive, not " + maxParkedPerSecond);
	}

}
