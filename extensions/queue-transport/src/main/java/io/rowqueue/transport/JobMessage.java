package io.rowqueue.transport;

import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * A job as a broker carries it: plain, due at once, and complete. Immutable: each method
 * that sets something returns a copy.
 */
public final class JobMessage {

	private final long id;

	private final String type;

	private final String queue;

	private final long createdAt;

	private final @Nullable Integer maxAttempts;

	private final @Nullable String payload;

	private final @Nullable String headers;

	private JobMessage(long id, String type, String queue, long createdAt, @Nullable Integer maxAttempts,
			@Nullable String payload, @Nullable String headers) {
		this.id = id;
		this.type = Objects.requireNonNull(type, "type");
		this.queue = Objects.requireNonNull(queue, "queue");
		this.createdAt = createdAt;
		this.maxAttempts = maxAttempts;
		this.payload = payload;
		this.headers = headers;
	}

	/**
	 * Creates a message without a payload and headers.
	 * @param id the id of the job, unique in its database; a job whose id the queue has
	 * not given is stored with another one, and so is one without an id: 0 or less
	 * @param type the type of the job
	 * @param queue the queue of the job
	 * @param createdAt when the job was enqueued, in microseconds since 1970 by the clock
	 * of the database
	 */
	public static JobMessage of(long id, String type, String queue, long createdAt) {
		return new JobMessage(id, type, queue, createdAt, null, null, null);
	}

	/** Sets how often the job runs at most; {@code null}: the default of its type. */
	public JobMessage maxAttempts(@Nullable Integer attempts) {
		return new JobMessage(this.id, this.type, this.queue, this.createdAt, attempts, this.payload, this.headers);
	}

	/** Sets the payload as JSON; {@code null}: the job has none. */
	public JobMessage payload(@Nullable String json) {
		return new JobMessage(this.id, this.type, this.queue, this.createdAt, this.maxAttempts, json, this.headers);
	}

	/** Sets the headers as JSON; {@code null}: the job has none. */
	public JobMessage headers(@Nullable String json) {
		return new JobMessage(this.id, this.type, this.queue, this.createdAt, this.maxAttempts, this.payload, json);
	}

	/** Returns the id of the job, unique in its database. */
	public long id() {
		return this.id;
	}

	/** Returns the type of the job. */
	public String type() {
		return this.type;
	}

	/** Returns the queue of the job. */
	public String queue() {
		return this.queue;
	}

	/**
	 * Returns when the job was enqueued, in microseconds since 1970 by the clock of the
	 * database.
	 */
	public long createdAt() {
		return this.createdAt;
	}

	/** Returns how often the job runs at most; {@code null}: the default of its type. */
	public @Nullable Integer maxAttempts() {
		return this.maxAttempts;
	}

	/** Returns the payload as JSON; {@code null}: the job has none. */
	public @Nullable String payload() {
		return this.payload;
	}

	/** Returns the headers as JSON; {@code null}: the job has none. */
	public @Nullable String headers() {
		return this.headers;
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof JobMessage message && this.id == message.id && this.createdAt == message.createdAt
				&& this.type.equals(message.type) && this.queue.equals(message.queue)
				&& Objects.equals(this.maxAttempts, message.maxAttempts)
				&& Objects.equals(this.payload, message.payload) && Objects.equals(this.headers, message.headers);
	}

	@Override
	public int hashCode() {
		return Long.hashCode(this.id);
	}

	@Override
	public String toString() {
		return "job " + this.id + " (" + this.type + ")";
	}

}
