package io.rowqueue;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

/**
 * The values of {@link HandlerOptions}; {@code null} if an option is not set. They change
 * only while options are created, and never afterwards.
 */
final class HandlerOptionValues {

	@Nullable Integer maxAttempts;

	@Nullable Duration timeout;

	@Nullable RetryPolicy retry;

	@Nullable Set<Class<? extends Throwable>> noRetryFor;

	@Nullable Integer concurrency;

	boolean transactional;

	boolean keepResult;

	@Nullable Coalescing coalescing;

	@Nullable String window;

	@Nullable Duration retention;

	HandlerOptionValues() {
	}

	HandlerOptionValues(HandlerOptionValues values) {
		setMissing(values);
	}

	/** Sets the options that are missing to those of others. */
	void setMissing(HandlerOptionValues others) {
		this.maxAttempts = either(this.maxAttempts, others.maxAttempts);
		this.timeout = either(this.timeout, others.timeout);
		this.retry = either(this.retry, others.retry);
		this.noRetryFor = either(this.noRetryFor, others.noRetryFor);
		this.concurrency = either(this.concurrency, others.concurrency);
		this.transactional = this.transactional || others.transactional;
		this.keepResult = this.keepResult || others.keepResult;
		this.coalescing = either(this.coalescing, others.coalescing);
		this.window = either(this.window, others.window);
		this.retention = either(this.retention, others.retention);
	}

	private static <V> @Nullable V either(@Nullable V first, @Nullable V second) {
		return (first != null) ? first : second;
	}

	/** Checks what depends on several values. */
	void check() {
		Assert.isTrue(this.coalescing == null || !this.transactional,
				"a handler that coalesces jobs cannot be transactional: each of its jobs ends on its own");
		Assert.isTrue(this.coalescing == null || !this.keepResult,
				"a handler that coalesces jobs cannot keep a result: its jobs have no results of their own");
	}

	List<@Nullable Object> list() {
		return Arrays.asList(this.maxAttempts, this.timeout, this.retry, this.noRetryFor, this.concurrency,
				this.transactional, this.keepResult, this.coalescing, this.window, this.retention);
	}

}
