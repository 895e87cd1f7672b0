package io.rowqueue;

import java.time.Duration;
import java.time.Instant;

import io.rowqueue.limit.LimitKind;
import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

/**
 * Thrown by a handler to postpone its job. The job has not failed: the attempt is not
 * counted, and no error is recorded. The exception may also be the cause of another one.
 * A transaction around the handler is rolled back.
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

	private final transient @Nullable LimitKind held;

	private SnoozeJobException(@Nullable Duration delay, @Nullable Instant until, @Nullable LimitKind held,
			@Nullable String reason) {
		super(reason, null, false, false);
		this.delay = delay;
		this.until = until;
		this.held = held;
	}

	/**
	 * Postpones the job by a delay.
	 * @param delay the time from the end of the attempt, by the database's clock; from
	 * zero to {@link JobRequest#MAX_DELAY}
	 * @return the exception to throw
	 */
	public static SnoozeJobException by(Duration delay) {
		return by(delay, "no reason given");
	}

	/**
	 * Postpones the job by a delay.
	 * @param delay the time from the end of the attempt, by the database's clock; from
	 * zero to {@link JobRequest#MAX_DELAY}
	 * @param reason the reason, for the log
	 * @return the exception to throw
	 */
	public static SnoozeJobException by(Duration delay, String reason) {
		Assert.isTrue(!delay.isNegative(), () -> "delay must not be negative: " + delay);
		Assert.isTrue(delay.compareTo(JobRequest.MAX_DELAY) <= 0,
				() -> "delay must be at most " + JobRequest.MAX_DELAY + ", not " + delay);
		return new SnoozeJobException(delay, null, null, reason);
	}

	/**
	 * Postpones the job until a given time.
	 * @param time the time by the database's clock; the job is due at once if it has
	 * passed
	 * @return the exception to throw
	 */
	public static SnoozeJobException until(Instant time) {
		return until(time, "no reason given");
	}

	/**
	 * Postpones the job until a given time.
	 * @param time the time by the database's clock; the job is due at once if it has
	 * passed
	 * @param reason the reason, for the log
	 * @return the exception to throw
	 */
	public static SnoozeJobException until(Instant time, String reason) {
		Assert.isTrue(time.isAfter(Instant.EPOCH) && time.isBefore(Instant.EPOCH.plus(JobRequest.MAX_DELAY)),
				() -> "time must be between 1970 and the year 2969, not " + time);
		return new SnoozeJobException(null, time, null, reason);
	}

	/**
	 * Also holds all other jobs of the queue, the type or the limit key of the job until
	 * then: no worker of the cluster claims them. For systems that ask their callers to
	 * pause.
	 *
	 * <pre class="code">
	 * throw SnoozeJobException.by(retryAfter, "429 Too Many Requests").holding(LimitKind.TYPE);
	 * </pre>
	 * @param kind what is held; with {@link LimitKind#KEY}, a job without a limit key is
	 * only postponed
	 * @return a changed copy
	 */
	public SnoozeJobException holding(LimitKind kind) {
		return new SnoozeJobException(this.delay, this.until, kind, getMessage());
	}

	/**
	 * Returns what is held besides the job.
	 * @return the kind, or {@code null} if only the job is postponed
	 */
	public @Nullable LimitKind held() {
		return this.held;
	}

	/**
	 * Returns by how much the job is postponed.
	 * @return the delay, or {@code null} if a time was given
	 */
	public @Nullable Duration delay() {
		return this.delay;
	}

	/**
	 * Returns until when the job is postponed.
	 * @return the time, or {@code null} if a delay was given
	 */
	public @Nullable Instant until() {
		return this.until;
	}

}
