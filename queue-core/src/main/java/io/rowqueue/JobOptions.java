package io.rowqueue;

import java.time.Duration;
import java.util.function.Consumer;

import io.rowqueue.engine.support.RequestChecks;
import org.jspecify.annotations.Nullable;

/**
 * The options of a job that a {@link JobRequest} sets, and a {@link JobType} for all its
 * jobs. Immutable: every method that sets a value returns a changed copy, and throws
 * {@link IllegalArgumentException} if the value is not allowed.
 *
 * @param <S> the class of the copies
 * @since 0.1.0
 */
public abstract sealed class JobOptions<S extends JobOptions<S>> permits JobRequest, JobType {

	/** The queue of a job whose request does not name one. */
	public static final String DEFAULT_QUEUE = "default";

	/** The maximum length of a type or the name of a queue, in characters. */
	public static final int MAX_NAME_LENGTH = RequestChecks.MAX_NAME_LENGTH;

	/** The maximum delay and the maximum tolerance: a thousand years. */
	public static final Duration MAX_DELAY = RequestChecks.MAX_DELAY;

	/** Keeps a unique key taken permanently, see {@link #uniqueFor}: a thousand years. */
	public static final Duration FOREVER = MAX_DELAY;

	final JobRequestValues values;

	JobOptions(JobRequestValues values) {
		this.values = values;
	}

	/**
	 * Sets the queue of the job.
	 * @param queue the name of the queue; {@value #DEFAULT_QUEUE} by default
	 * @return a changed copy
	 */
	public S queue(String queue) {
		return with((copy) -> copy.queue(queue));
	}

	/**
	 * Sets the priority of the job.
	 * @param priority from -32768 to 32767; jobs with a higher number start first; 0 by
	 * default
	 * @return a changed copy
	 */
	public S priority(int priority) {
		return with((copy) -> copy.priority(priority));
	}

	/**
	 * Sets how long the job may wait once it is due. Jobs of one priority start in the
	 * order of due time plus tolerance.
	 * @param tolerance the time; zero by default
	 * @return a changed copy
	 */
	public S tolerance(Duration tolerance) {
		return with((copy) -> copy.tolerance(tolerance));
	}

	/**
	 * Sets the maximum number of attempts, after which the job has failed permanently. By
	 * default the options of the handler decide, or those of the worker.
	 * @param maxAttempts from 1 to 32767, including the first attempt
	 * @return a changed copy
	 */
	public S maxAttempts(int maxAttempts) {
		return with((copy) -> copy.maxAttempts(maxAttempts));
	}

	/**
	 * Runs the job only while a {@code Window} is open. If the window is closed when the
	 * job is due, the job waits for the next opening, which uses up no attempt. The
	 * enqueue fails if the window does not exist; if it is removed later, the job runs at
	 * any time.
	 * @param window the name of the window
	 * @return a changed copy
	 */
	public S window(String window) {
		return with((copy) -> copy.window(window));
	}

	/**
	 * Cancels the job if its first attempt has not begun within a time. A retry does not
	 * expire.
	 * @param expiresIn the time from the enqueue on, by the database's clock, at most
	 * {@link #MAX_DELAY}; a delay is part of it
	 * @return a changed copy
	 */
	public S expiresIn(Duration expiresIn) {
		return with((copy) -> copy.expiresIn(expiresIn));
	}

	/**
	 * Ensures that at most one job of its type waits or runs with the same payload, as
	 * {@link JobRequest#uniqueKey} does it for a key. The enqueue derives the key from
	 * the JSON of the payload: neither the order of properties, spaces, nor trailing
	 * zeros of numbers matter; a job without a payload is like one with {@code null}. The
	 * payload is not encrypted by a {@link PayloadEncryption}: the enqueue of such a job
	 * fails, because its key would show which payloads are equal.
	 * @return a changed copy
	 */
	public S uniqueByPayload() {
		return with(JobRequestValues::uniqueByPayload);
	}

	/**
	 * Keeps the unique key taken for some time after the job has succeeded, so that the
	 * same work is not repeated if it is enqueued again. A job that has failed
	 * permanently or was cancelled releases its key at once.
	 * @param keptFor the time from the success on, by the database's clock, at most
	 * {@link #FOREVER}; zero by default
	 * @return a changed copy
	 * @throws IllegalArgumentException if there is no unique key
	 */
	public S uniqueFor(Duration keptFor) {
		return with((copy) -> copy.uniqueFor(keptFor));
	}

	/**
	 * Keeps the unique key taken for some time from the enqueue on, however the job ends:
	 * also if it fails permanently or is cancelled. Until then, an enqueue with the key
	 * changes nothing and returns the id of this job. With {@link #FOREVER}, a key is
	 * used once. {@code JobControl.releaseKey} releases a key.
	 * @param keptFor the time from the enqueue on, by the database's clock, at most
	 * {@link #FOREVER}
	 * @return a changed copy
	 * @throws IllegalArgumentException if there is no unique key
	 */
	public S uniqueFromEnqueue(Duration keptFor) {
		return with((copy) -> copy.uniqueFromEnqueue(keptFor));
	}

	/**
	 * Enqueues at most one job with the unique key in a period: the first one. The others
	 * are not enqueued, whatever becomes of the first one. The same as
	 * {@link #uniqueFromEnqueue}.
	 * @param period the time from the first enqueue on, by the database's clock
	 * @return a changed copy
	 * @throws IllegalArgumentException if there is no unique key
	 */
	public S throttle(Duration period) {
		return uniqueFromEnqueue(period);
	}

	/**
	 * Sets what the enqueue does if another job has the unique key.
	 * @param duplicates the policy; {@link DuplicatePolicy#keep()} by default
	 * @return a changed copy
	 * @throws IllegalArgumentException if there is no unique key
	 */
	public S duplicates(DuplicatePolicy duplicates) {
		return with((copy) -> copy.duplicates(duplicates));
	}

	/** Returns the queue, {@value #DEFAULT_QUEUE} by default. */
	public String queue() {
		return (this.values.queue != null) ? this.values.queue : DEFAULT_QUEUE;
	}

	/** Returns the priority, 0 by default. */
	public int priority() {
		return (this.values.priority != null) ? this.values.priority : 0;
	}

	/** Returns how long the job may wait once it is due, zero by default. */
	public Duration tolerance() {
		return (this.values.tolerance != null) ? this.values.tolerance : Duration.ZERO;
	}

	/** Returns the maximum number of attempts, or {@code null} if it is not set. */
	public @Nullable Integer maxAttempts() {
		return this.values.maxAttempts;
	}

	/** Returns the name of the window, or {@code null} if the job runs at any time. */
	public @Nullable String window() {
		return this.values.window;
	}

	/** Returns how long after the enqueue the job expires, or {@code null}. */
	public @Nullable Duration expiresIn() {
		return this.values.expiresIn;
	}

	/** Returns a copy whose values are changed, and checked. */
	final S with(Consumer<JobRequestValues> change) {
		JobRequestValues copy = this.values.copy();
		change.accept(copy);
		copy.check();
		return with(copy);
	}

	abstract S with(JobRequestValues values);

}
