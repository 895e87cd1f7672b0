package io.pgqueue;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;

import io.pgqueue.engine.support.RequestChecks;
import io.pgqueue.flow.Predecessors;
import org.jspecify.annotations.Nullable;

/**
 * The values of a {@link JobRequest}; {@code null} if a value is not set. They change
 * only while a request is created, and never afterwards.
 */
final class JobRequestValues {

	final String type;

	final @Nullable Object payload;

	@Nullable String queue;

	@Nullable Integer priority;

	@Nullable Instant runAt;

	Duration delay = Duration.ZERO;

	@Nullable Duration tolerance;

	@Nullable Integer maxAttempts;

	@Nullable UniqueKey unique;

	Predecessors predecessors = Predecessors.NONE;

	@Nullable String limitKey;

	@Nullable String window;

	boolean inDatabase;

	JobRequestValues(String type, @Nullable Object payload) {
		this.type = type;
		this.payload = payload;
	}

	JobRequestValues(JobRequestValues values) {
		this(values.type, values.payload);
		this.queue = values.queue;
		this.priority = values.priority;
		this.runAt = values.runAt;
		this.delay = values.delay;
		this.tolerance = values.tolerance;
		this.maxAttempts = values.maxAttempts;
		this.unique = values.unique;
		this.predecessors = values.predecessors;
		this.limitKey = values.limitKey;
		this.window = values.window;
		this.inDatabase = values.inDatabase;
	}

	/** Sets the values that are missing to those of the type. */
	<T> void setMissing(JobRequestValues defaults, JobType<T> declared) {
		@Nullable T value = declared.cast(this.payload);
		this.queue = either(this.queue, defaults.queue);
		this.priority = either(this.priority, defaults.priority);
		this.tolerance = either(this.tolerance, defaults.tolerance);
		this.maxAttempts = either(this.maxAttempts, defaults.maxAttempts);
		this.window = either(this.window, defaults.window);
		this.limitKey = (this.limitKey != null) ? this.limitKey : declared.limitKey(value);
		this.unique = (this.unique != null) ? this.unique : declared.unique(value);
		if (this.limitKey != null) {
			RequestChecks.name("limitKey", this.limitKey);
		}
	}

	private static <V> @Nullable V either(@Nullable V first, @Nullable V second) {
		return (first != null) ? first : second;
	}

	List<@Nullable Object> list() {
		return Arrays.asList(this.type, this.payload, this.queue, this.priority, this.runAt, this.delay, this.tolerance,
				this.maxAttempts, this.unique, this.predecessors, this.limitKey, this.window, this.inDatabase);
	}

}
