package io.rowqueue.admin;

import java.time.Duration;

import io.rowqueue.JobRequest;
import org.jspecify.annotations.Nullable;

/**
 * A job that a person describes, with its payload as JSON. Immutable: every method that
 * sets a value returns a changed copy.
 *
 * @since 0.1.0
 */
public final class WrittenJob {

	private final String type;

	private final String queue;

	private final @Nullable String payload;

	private final int priority;

	private final Duration delay;

	private WrittenJob(String type, String queue, @Nullable String payload, int priority, Duration delay) {
		this.type = type;
		this.queue = queue;
		this.payload = payload;
		this.priority = priority;
		this.delay = delay;
	}

	/**
	 * Creates a job that is due now, in the default queue, without a payload.
	 * @param type the type
	 * @return the job
	 */
	public static WrittenJob of(String type) {
		return new WrittenJob(type, JobRequest.DEFAULT_QUEUE, null, 0, Duration.ZERO);
	}

	/**
	 * Sets the queue.
	 * @param queue the name of the queue
	 * @return a changed copy
	 */
	public WrittenJob queue(String queue) {
		return new WrittenJob(this.type, queue, this.payload, this.priority, this.delay);
	}

	/**
	 * Sets the payload.
	 * @param payload the payload as JSON, or {@code null} for none
	 * @return a changed copy
	 */
	public WrittenJob payload(@Nullable String payload) {
		return new WrittenJob(this.type, this.queue, payload, this.priority, this.delay);
	}

	/**
	 * Sets the priority.
	 * @param priority from -32768 to 32767; jobs with a higher number start first
	 * @return a changed copy
	 */
	public WrittenJob priority(int priority) {
		return new WrittenJob(this.type, this.queue, this.payload, priority, this.delay);
	}

	/**
	 * Sets the delay.
	 * @param delay the time from now until the job is due
	 * @return a changed copy
	 */
	public WrittenJob delay(Duration delay) {
		return new WrittenJob(this.type, this.queue, this.payload, this.priority, delay);
	}

	/** Returns the type. */
	public String type() {
		return this.type;
	}

	/** Returns the queue. */
	public String queue() {
		return this.queue;
	}

	/** Returns the payload as JSON, or {@code null} for none. */
	public @Nullable String payload() {
		return this.payload;
	}

	/** Returns the priority. */
	public int priority() {
		return this.priority;
	}

	/** Returns the time until the job is due. */
	public Duration delay() {
		return this.delay;
	}

}
