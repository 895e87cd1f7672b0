package io.pgqueue;

import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

import io.pgqueue.engine.support.RequestChecks;
import io.pgqueue.window.Window;
import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

/**
 * Options for running the jobs of one type, set by its handler. The worker decides about
 * options that are not set. Immutable: every method that sets an option returns a changed
 * copy, and throws {@link IllegalArgumentException} if the value is not allowed.
 *
 * <pre class="code">
 * HandlerOptions.NONE.timeout(Duration.ofSeconds(30)).retry(RetryPolicy.fixed(Duration.ofMinutes(1)))
 * </pre>
 *
 * @since 0.1.0
 */
public final class HandlerOptions {

	/** Sets no option. */
	public static final HandlerOptions NONE = new HandlerOptions(new Draft());

	private final @Nullable Integer maxAttempts;

	private final @Nullable Duration timeout;

	private final @Nullable RetryPolicy retry;

	private final @Nullable Set<Class<? extends Throwable>> noRetryFor;

	private final @Nullable Integer concurrency;

	private final boolean transactional;

	private final boolean keepResult;

	private final @Nullable Coalescing coalescing;

	private final @Nullable String window;

	private HandlerOptions(Draft draft) {
		this.maxAttempts = draft.maxAttempts;
		this.timeout = draft.timeout;
		this.retry = draft.retry;
		this.noRetryFor = draft.noRetryFor;
		this.concurrency = draft.concurrency;
		this.transactional = draft.transactional;
		this.keepResult = draft.keepResult;
		this.coalescing = draft.coalescing;
		this.window = draft.window;
		Assert.isTrue(this.coalescing == null || !this.transactional,
				"a handler that coalesces jobs cannot be transactional: each of its jobs ends on its own");
		Assert.isTrue(this.coalescing == null || !this.keepResult,
				"a handler that coalesces jobs cannot keep a result: its jobs have no results of their own");
	}

	/**
	 * Sets the maximum number of attempts of jobs whose request does not set one.
	 * @param attempts from 1 to 32767, including the first attempt
	 * @return a changed copy
	 */
	public HandlerOptions maxAttempts(int attempts) {
		Assert.isTrue(attempts >= 1 && attempts <= Short.MAX_VALUE,
				() -> "maxAttempts must be from 1 to 32767, not " + attempts);
		return with((draft) -> draft.maxAttempts = attempts);
	}

	/**
	 * Sets the maximum duration of an attempt. A handler that runs longer is interrupted,
	 * and its attempt fails, even if the handler returns normally afterwards.
	 * @param limit the duration, positive
	 * @return a changed copy
	 */
	public HandlerOptions timeout(Duration limit) {
		Assert.isTrue(!limit.isNegative() && !limit.isZero(), () -> "timeout must be positive, not " + limit);
		return with((draft) -> draft.timeout = limit);
	}

	/**
	 * Sets the policy that decides when a failed job is retried.
	 * @param policy the policy
	 * @return a changed copy
	 */
	public HandlerOptions retry(RetryPolicy policy) {
		return with((draft) -> draft.retry = policy);
	}

	/**
	 * Sets the exceptions after which a job is not retried, in addition to those that are
	 * not retried for any type.
	 * @param errors the exceptions, including their subclasses
	 * @return a changed copy
	 */
	@SafeVarargs
	public final HandlerOptions noRetryFor(Class<? extends Throwable>... errors) {
		Set<Class<? extends Throwable>> all = new HashSet<>();
		for (Class<? extends Throwable> error : errors) {
			all.add(error);
		}
		return noRetryFor(all);
	}

	/**
	 * Sets the exceptions after which a job is not retried, in addition to those that are
	 * not retried for any type.
	 * @param errors the exceptions, including their subclasses
	 * @return a changed copy
	 */
	public HandlerOptions noRetryFor(Set<Class<? extends Throwable>> errors) {
		Set<Class<? extends Throwable>> copy = Set.copyOf(errors);
		return with((draft) -> draft.noRetryFor = copy);
	}

	/**
	 * Sets how many jobs of the type run at the same time in this process.
	 * @param jobs at least 1
	 * @return a changed copy
	 */
	public HandlerOptions concurrency(int jobs) {
		Assert.isTrue(jobs >= 1, () -> "concurrency must be positive, not " + jobs);
		return with((draft) -> draft.concurrency = jobs);
	}

	/**
	 * Sets whether the writes of the handler and the success of its job are committed in
	 * one transaction, see {@link JobHandler#transactional()}.
	 * @param transactional whether they are; {@code false} by default
	 * @return a changed copy
	 */
	public HandlerOptions transactional(boolean transactional) {
		return with((draft) -> draft.transactional = transactional);
	}

	/**
	 * Sets whether the return value of the handler is stored with the job, see
	 * {@link JobHandler#keepResult()}.
	 * @param keepResult whether it is; {@code false} by default
	 * @return a changed copy
	 */
	public HandlerOptions keepResult(boolean keepResult) {
		return with((draft) -> draft.keepResult = keepResult);
	}

	/**
	 * Runs several due jobs of the type in one call of a handler that takes a list.
	 * @param maxJobs the maximum number of jobs in a call, from 2 to
	 * {@value Coalescing#MAX_JOBS}
	 * @return a changed copy
	 */
	public HandlerOptions coalesce(int maxJobs) {
		return coalesce(maxJobs, Duration.ZERO);
	}

	/**
	 * Runs several due jobs of the type in one call of a handler that takes a list.
	 * @param maxJobs the maximum number of jobs in a call, from 2 to
	 * {@value Coalescing#MAX_JOBS}
	 * @param maxWait how long the first of them waits for others, limited by its
	 * tolerance
	 * @return a changed copy
	 */
	public HandlerOptions coalesce(int maxJobs, Duration maxWait) {
		Coalescing coalescing = new Coalescing(maxJobs, maxWait);
		return with((draft) -> draft.coalescing = coalescing);
	}

	/**
	 * Runs the jobs of the type only while a window is open.
	 * @param name the name of a {@link Window}, see {@link JobHandler#window()}
	 * @return a changed copy
	 */
	public HandlerOptions window(String name) {
		RequestChecks.name("window", name);
		return with((draft) -> draft.window = name);
	}

	/**
	 * Combines these options with others, which apply where these are not set.
	 * @param others the options with the lower precedence
	 * @return the combination
	 */
	public HandlerOptions orElse(HandlerOptions others) {
		return with((draft) -> {
			draft.maxAttempts = either(this.maxAttempts, others.maxAttempts);
			draft.timeout = either(this.timeout, others.timeout);
			draft.retry = either(this.retry, others.retry);
			draft.noRetryFor = either(this.noRetryFor, others.noRetryFor);
			draft.concurrency = either(this.concurrency, others.concurrency);
			draft.transactional = this.transactional || others.transactional;
			draft.keepResult = this.keepResult || others.keepResult;
			draft.coalescing = either(this.coalescing, others.coalescing);
			draft.window = either(this.window, others.window);
		});
	}

	/** Returns the maximum number of attempts, or {@code null} for the worker's. */
	public @Nullable Integer maxAttempts() {
		return this.maxAttempts;
	}

	/** Returns the maximum duration of an attempt, or {@code null} for no maximum. */
	public @Nullable Duration timeout() {
		return this.timeout;
	}

	/** Returns the retry policy, or {@code null} for the worker's. */
	public @Nullable RetryPolicy retry() {
		return this.retry;
	}

	/** Returns the exceptions that are not retried, or {@code null} for none. */
	public @Nullable Set<Class<? extends Throwable>> noRetryFor() {
		return this.noRetryFor;
	}

	/** Returns the concurrency in this process, or {@code null} for all slots. */
	public @Nullable Integer concurrency() {
		return this.concurrency;
	}

	/** Returns whether the handler's writes and its job's success commit together. */
	public boolean transactional() {
		return this.transactional;
	}

	/** Returns whether the return value of the handler is stored with the job. */
	public boolean keepResult() {
		return this.keepResult;
	}

	/** Returns how jobs run together, or {@code null} if each one runs alone. */
	public @Nullable Coalescing coalescing() {
		return this.coalescing;
	}

	/** Returns the name of the window, or {@code null} if jobs run at any time. */
	public @Nullable String window() {
		return this.window;
	}

	private static <T> @Nullable T either(@Nullable T first, @Nullable T second) {
		return (first != null) ? first : second;
	}

	private HandlerOptions with(Consumer<Draft> change) {
		Draft draft = new Draft();
		draft.maxAttempts = this.maxAttempts;
		draft.timeout = this.timeout;
		draft.retry = this.retry;
		draft.noRetryFor = this.noRetryFor;
		draft.concurrency = this.concurrency;
		draft.transactional = this.transactional;
		draft.keepResult = this.keepResult;
		draft.coalescing = this.coalescing;
		draft.window = this.window;
		change.accept(draft);
		return new HandlerOptions(draft);
	}

	private List<@Nullable Object> values() {
		return Arrays.asList(this.maxAttempts, this.timeout, this.retry, this.noRetryFor, this.concurrency,
				this.transactional, this.keepResult, this.coalescing, this.window);
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof HandlerOptions options && values().equals(options.values());
	}

	@Override
	public int hashCode() {
		return values().hashCode();
	}

	@Override
	public String toString() {
		return "HandlerOptions" + values();
	}

	/** The values of a copy before they are final. */
	private static final class Draft {

		private @Nullable Integer maxAttempts;

		private @Nullable Duration timeout;

		private @Nullable RetryPolicy retry;

		private @Nullable Set<Class<? extends Throwable>> noRetryFor;

		private @Nullable Integer concurrency;

		private boolean transactional;

		private boolean keepResult;

		private @Nullable Coalescing coalescing;

		private @Nullable String window;

	}

}
