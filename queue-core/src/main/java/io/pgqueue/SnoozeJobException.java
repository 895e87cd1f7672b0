package io.pgqueue;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

/**
 * Thrown by a handler to be called again later. This is no failure: the attempt does not
 * count, and no error is recorded. The exception may be the cause of another one; a
 * transaction around the handler rolls back.
 *
 * <pre class="code">
 * throw SnoozeJobException.by(Duration.ofMinutes(5), "the shop is closed for maintenance");
 * </pre>
 *
 * @since 0.1.0
 */
public final class SnoozeJobException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final transient @Nullable Duration delay;

	private final transient @Nullable Instant until;

	private SnoozeJobException(@Nullable Duration delay, @Nullable Instant until, String reason) {
		super(reason, null, false, false);
		this.delay = delay;
		this.until = until;
	}

	/**
	 * The job is due again after a pause.
	 * @param delay how long to wait, counted by the database from when the attempt ends;
	 * not negative, at most {@link JobRequest#MAX_DELAY}
	 * @return the exception to throw
	 */
	public static SnoozeJobException by(Duration delay) {
		return by(delay, "no reason given");
	}

	/**
	 * The job is due again after a pause.
	 * @param delay how long to wait, counted by the database from when the attempt ends;
	 * not negative, at most {@link JobRequest#MAX_DELAY}
	 * @param reason for the log
	 * @return the exception to throw
	 */
	public static SnoozeJobException by(Duration delay, String reason) {
		Assert.isTrue(!delay.isNegative(), () -> "delay must not be negative: " + delay);
		Assert.isTrue(delay.compareTo(JobRequest.MAX_DELAY) <= 0,
				() -> "delay must be at most " + JobRequest.MAX_DELAY + ", not " + delay);
		return new SnoozeJobException(delay, null, reason);
	}

	/**
	 * The job is due again at a time.
	 * @param time when, by the database's clock; if that is over, at once
	 * @return the exception to throw
	 */
	public static SnoozeJobException until(Instant time) {
		return until(time, "no reason given");
	}

	/**
	 * The job is due again at a time.
	 * @param time when, by the database's clock; if that is over, at once
	 * @param reason for the log
	 * @return the exception to throw
	 */
	public static SnoozeJobException until(Instant time, String reason) {
		Assert.isTrue(time.isAfter(Instant.EPOCH) && time.isBefore(Instant.EPOCH.plus(JobRequest.MAX_DELAY)),
				() -> "time must be between 1970 and the year 2969, not " + time);
		return new SnoozeJobException(null, time, reason);
	}

	/**
	 * How long the job waits.
	 * @return the pause, or {@code null} if a time was given
	 */
	public @Nullable Duration delay() {
		return this.delay;
	}

	/**
	 * When the job is due.
	 * @return the time, or {@code null} if a pause was given
	 */
	public @Nullable Instant until() {
		return this.until;
	}

}
