package io.pgqueue;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

/**
 * Describes a job to enqueue. Immutable: every method returns a changed copy.
 *
 * <pre class="code">
 * JobRequest.of("send-invoice", new Invoice(42)).queue("mail").priority(5).delay(Duration.ofMinutes(10))
 * </pre>
 *
 * @param type names the work and with it the handler
 * @param payload written as JSON and handed to the handler, or {@code null}
 * @param queue the operational group that is watched, limited and paused together
 * @param priority a bigger number goes first, from -32768 to 32767
 * @param runAt when the job is due, by the database's clock; {@code null}: now plus
 * {@code delay}
 * @param delay how long after the enqueue the job is due, counted by the database
 * @param tolerance how long the job may wait once it is due; inside one priority jobs run
 * in the order of {@code due + tolerance}
 * @param maxAttempts how often the job is tried before it is failed for good;
 * {@code null}: the worker's default
 * @param uniqueKey at most one job that is waiting or running carries this key;
 * {@code null} for none
 * @since 0.1.0
 */
public record JobRequest(String type, @Nullable Object payload, String queue, int priority, @Nullable Instant runAt,
		Duration delay, Duration tolerance, @Nullable Integer maxAttempts, @Nullable String uniqueKey) {

	/** The queue of a job that names none. */
	public static final String DEFAULT_QUEUE = "default";

	/** The most characters that a type or the name of a queue can have. */
	public static final int MAX_NAME_LENGTH = 200;

	/** The most characters that a unique key can have. */
	public static final int MAX_KEY_LENGTH = 500;

	/** The longest delay and the longest tolerance. */
	public static final Duration MAX_DELAY = Duration.ofDays(365_000);

	/**
	 * Checks every value.
	 * @throws IllegalArgumentException naming the value that is wrong and what is allowed
	 */
	public JobRequest {
		checkName("type", type);
		checkName("queue", queue);
		Assert.isTrue(priority >= Short.MIN_VALUE && priority <= Short.MAX_VALUE,
				() -> "priority must be from -32768 to 32767, not " + priority);
		checkDuration("delay", delay);
		checkDuration("tolerance", tolerance);
		Assert.isTrue(runAt == null || (runAt.isAfter(Instant.EPOCH) && runAt.isBefore(Instant.EPOCH.plus(MAX_DELAY))),
				() -> "runAt must be between 1970 and the year 2969, not " + runAt);
		Assert.isTrue(runAt == null || delay.isZero(), "give runAt or delay, not both");
		Assert.isTrue(maxAttempts == null || (maxAttempts >= 1 && maxAttempts <= Short.MAX_VALUE),
				() -> "maxAttempts must be from 1 to 32767, not " + maxAttempts);
		if (uniqueKey != null) {
			checkText("uniqueKey", uniqueKey, MAX_KEY_LENGTH);
		}
	}

	/**
	 * A job of the type, due at once, on the default queue.
	 * @param type names the work and with it the handler
	 * @param payload written as JSON, or {@code null}
	 * @return the request
	 */
	public static JobRequest of(String type, @Nullable Object payload) {
		return new JobRequest(type, payload, DEFAULT_QUEUE, 0, null, Duration.ZERO, Duration.ZERO, null, null);
	}

	/**
	 * A job of the type that needs no payload.
	 * @param type names the work and with it the handler
	 * @return the request
	 */
	public static JobRequest of(String type) {
		return of(type, null);
	}

	/**
	 * Puts the job on a queue.
	 * @param queue the name of the queue
	 * @return a changed copy
	 */
	public JobRequest queue(String queue) {
		return new JobRequest(this.type, this.payload, queue, this.priority, this.runAt, this.delay, this.tolerance,
				this.maxAttempts, this.uniqueKey);
	}

	/**
	 * Gives the job a priority.
	 * @param priority a bigger number goes first; 0 is the default
	 * @return a changed copy
	 */
	public JobRequest priority(int priority) {
		return new JobRequest(this.type, this.payload, this.queue, priority, this.runAt, this.delay, this.tolerance,
				this.maxAttempts, this.uniqueKey);
	}

	/**
	 * Makes the job due at a time.
	 * @param runAt compared to the database's clock; a time that has passed means now
	 * @return a changed copy, without a delay
	 */
	public JobRequest runAt(Instant runAt) {
		return new JobRequest(this.type, this.payload, this.queue, this.priority, runAt, Duration.ZERO, this.tolerance,
				this.maxAttempts, this.uniqueKey);
	}

	/**
	 * Makes the job due some time after the enqueue.
	 * @param delay counted by the database's clock, so that the clocks of the
	 * application's machines do not matter
	 * @return a changed copy, without a run-at
	 */
	public JobRequest delay(Duration delay) {
		return new JobRequest(this.type, this.payload, this.queue, this.priority, null, delay, this.tolerance,
				this.maxAttempts, this.uniqueKey);
	}

	/**
	 * Lets the job wait behind more urgent ones of the same priority.
	 * @param tolerance how long it may wait once it is due
	 * @return a changed copy
	 */
	public JobRequest tolerance(Duration tolerance) {
		return new JobRequest(this.type, this.payload, this.queue, this.priority, this.runAt, this.delay, tolerance,
				this.maxAttempts, this.uniqueKey);
	}

	/**
	 * Limits the attempts.
	 * @param maxAttempts how often the job is tried, the first time included
	 * @return a changed copy
	 */
	public JobRequest maxAttempts(int maxAttempts) {
		return new JobRequest(this.type, this.payload, this.queue, this.priority, this.runAt, this.delay,
				this.tolerance, maxAttempts, this.uniqueKey);
	}

	/**
	 * Makes sure that no second job with this key waits or runs: enqueueing one returns
	 * the job that is there. The key is free again as soon as the job has ended, whether
	 * it succeeded, failed for good or was cancelled.
	 * @param uniqueKey any text, the same for jobs that are the same work
	 * @return a changed copy
	 */
	public JobRequest uniqueKey(String uniqueKey) {
		return new JobRequest(this.type, this.payload, this.queue, this.priority, this.runAt, this.delay,
				this.tolerance, this.maxAttempts, uniqueKey);
	}

	private static void checkName(String what, String name) {
		checkText(what, name, MAX_NAME_LENGTH);
		Assert.hasText(name, () -> what + " must not be blank");
	}

	private static void checkText(String what, String text, int maxLength) {
		Assert.notNull(text, () -> what + " must not be null");
		Assert.isTrue(text.length() <= maxLength,
				() -> "%s must have at most %d characters, not %d".formatted(what, maxLength, text.length()));
		Assert.isTrue(text.indexOf('\0') < 0, () -> what + " must not contain the character NUL, which PostgreSQL"
				+ " cannot store: " + text.replace("\0", "\\0"));
	}

	private static void checkDuration(String what, Duration duration) {
		Assert.notNull(duration, () -> what + " must not be null");
		Assert.isTrue(!duration.isNegative() && duration.compareTo(MAX_DELAY) <= 0,
				() -> what + " must be from 0 to 365000 days, not " + duration);
	}

}
