package io.rowqueue;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

import io.rowqueue.engine.support.RequestChecks;
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
	public static final HandlerOptions NONE = new HandlerOptions(new HandlerOptionValues());

	private final HandlerOptionValues values;

	private HandlerOptions(HandlerOptionValues values) {
		values.check();
		this.values = values;
	}

	/**
	 * Sets the maximum number of attempts of jobs whose request does not set one.
	 * @param attempts from 1 to 32767, including the first attempt
	 * @return a changed copy
	 */
	public HandlerOptions maxAttempts(int attempts) {
		Assert.isTrue(attempts >= 1 && attempts <= Short.MAX_VALUE,
				() -> "maxAttempts must be from 1 to 32767, not " + attempts);
		return with((copy) -> copy.maxAttempts = attempts);
	}

	/**
	 * Sets the maximum duration of an attempt. A handler that runs longer is interrupted,
	 * and its attempt fails, even if the handler returns normally afterwards.
	 * @param limit the duration, positive
	 * @return a changed copy
	 */
	public HandlerOptions timeout(Duration limit) {
		Assert.isTrue(!limit.isNegative() && !limit.isZero(), () -> "timeout must be positive, not " + limit);
		return with((copy) -> copy.timeout = limit);
	}

	/**
	 * Sets the policy that decides when a failed job is retried.
	 * @param policy the policy
	 * @return a changed copy
	 */
	public HandlerOptions retry(RetryPolicy policy) {
		return with((copy) -> copy.retry = policy);
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
		Set<Class<? extends Throwable>> all = Set.copyOf(errors);
		return with((copy) -> copy.noRetryFor = all);
	}

	/**
	 * Sets how many jobs of the type run at the same time in this process.
	 * @param jobs at least 1
	 * @return a changed copy
	 */
	public HandlerOptions concurrency(int jobs) {
		Assert.isTrue(jobs >= 1, () -> "concurrency must be positive, not " + jobs);
		return with((copy) -> copy.concurrency = jobs);
	}

	/**
	 * Sets whether the writes of the handler and the success of its job are committed in
	 * one transaction, see {@link JobHandler#transactional()}.
	 * @param transactional whether they are; {@code false} by default
	 * @return a changed copy
	 */
	public HandlerOptions transactional(boolean transactional) {
		return with((copy) -> copy.transactional = transactional);
	}

	/**
	 * Sets whether the return value of the handler is stored with the job, see
	 * {@link JobHandler#keepResult()}.
	 * @param keepResult whether it is; {@code false} by default
	 * @return a changed copy
	 */
	public HandlerOptions keepResult(boolean keepResult) {
		return with((copy) -> copy.keepResult = keepResult);
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
		return with((copy) -> copy.coalescing = coalescing);
	}

	/**
	 * Runs the jobs of the type only while a window is open.
	 * @param name the name of a {@code Window}, see {@link JobHandler#window()}
	 * @return a changed copy
	 */
	public HandlerOptions window(String name) {
		RequestChecks.name("window", name);
		return with((copy) -> copy.window = name);
	}

	/**
	 * Sets how long jobs of the type are kept after they have succeeded or were
	 * cancelled, see {@link JobHandler#retention()}.
	 * @param age the time since they finished
	 * @return a changed copy
	 */
	public HandlerOptions retention(Duration age) {
		RequestChecks.duration("retention", age);
		return with((copy) -> copy.retention = age);
	}

	/**
	 * Combines these options with others, which apply where these are not set.
	 * @param others the options with the lower precedence
	 * @return the combination
	 */
	public HandlerOptions orElse(HandlerOptions others) {
		return with((copy) -> copy.setMissing(others.values));
	}

	/** Returns the maximum number of attempts, or {@code null} for the worker's. */
	public @Nullable Integer maxAttempts() {
		return this.values.maxAttempts;
	}

	/** Returns the maximum duration of an attempt, or {@code null} for no maximum. */
	public @Nullable Duration timeout() {
		return this.values.timeout;
	}

	/** Returns the retry policy, or {@code null} for the worker's. */
	public @Nullable RetryPolicy retry() {
		return this.values.retry;
	}

	/** Returns the exceptions that are not retried, or {@code null} for none. */
	public @Nullable Set<Class<? extends Throwable>> noRetryFor() {
		return this.values.noRetryFor;
	}

	/** Returns the concurrency in this process, or {@code null} for all slots. */
	public @Nullable Integer concurrency() {
		return this.values.concurrency;
	}

	/** Returns whether the handler's writes and its job's success commit together. */
	public boolean transactional() {
		return this.values.transactional;
	}

	/** Returns whether the return value of the handler is stored with the job. */
	public boolean keepResult() {
		return this.values.keepResult;
	}

	/** Returns how jobs run together, or {@code null} if each one runs alone. */
	public @Nullable Coalescing coalescing() {
		return this.values.coalescing;
	}

	/** Returns the name of the window, or {@code null} if jobs run at any time. */
	public @Nullable String window() {
		return this.values.window;
	}

	/** Returns how long finished jobs are kept, or {@code null} for as long as others. */
	public @Nullable Duration retention() {
		return this.values.retention;
	}

	private HandlerOptions with(Consumer<HandlerOptionValues> change) {
		HandlerOptionValues copy = new HandlerOptionValues(this.values);
		change.accept(copy);
		return new HandlerOptions(copy);
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof HandlerOptions options && this.values.list().equals(options.values.list());
	}

	@Override
	public int hashCode() {
		return this.values.list().hashCode();
	}

	@Override
	public String toString() {
		return "HandlerOptions" + this.values.list();
	}

}
