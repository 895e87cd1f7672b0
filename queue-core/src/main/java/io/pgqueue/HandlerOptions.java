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
 * How the jobs of one type are run, as far as its handler says so; what it leaves open is
 * decided by the worker. Immutable: every method returns a changed copy.
 *
 * <pre class="code">
 * HandlerOptions.NONE.timeout(Duration.ofSeconds(30)).retry(RetryPolicy.fixed(Duration.ofMinutes(1)))
 * </pre>
 *
 * @since 0.1.0
 */
public final class HandlerOptions {

	/** Leaves everything to the worker. */
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
				"a handler that coalesces jobs cannot be transactional: they end one by one");
		Assert.isTrue(this.coalescing == null || !this.keepResult,
				"a handler that coalesces jobs cannot keep a result: they have none of their own");
	}

	/**
	 * Sets how often a job is tried that does not say so itself.
	 * @param attempts from 1 to 32767
	 * @return the changed copy
	 */
	public HandlerOptions maxAttempts(int attempts) {
		Assert.isTrue(attempts >= 1 && attempts <= Short.MAX_VALUE,
				() -> "maxAttempts must be from 1 to 32767, not " + attempts);
		return with((draft) -> draft.maxAttempts = attempts);
	}

	/**
	 * Sets how long an attempt may take. A handler that runs longer is interrupted, and
	 * its attempt fails however it ends.
	 * @param limit the longest time, positive
	 * @return the changed copy
	 */
	public HandlerOptions timeout(Duration limit) {
		Assert.isTrue(!limit.isNegative() && !limit.isZero(), () -> "timeout must be positive, not " + limit);
		return with((draft) -> draft.timeout = limit);
	}

	/**
	 * Sets who decides when a failed job is tried again.
	 * @param policy the policy
	 * @return the changed copy
	 */
	public HandlerOptions retry(RetryPolicy policy) {
		return with((draft) -> draft.retry = policy);
	}

	/**
	 * Sets the exceptions after which a job is failed for good, in addition to those that
	 * a repetition cannot mend for any type.
	 * @param errors the exceptions, subclasses included
	 * @return the changed copy
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
	 * Sets the exceptions after which a job is failed for good, in addition to those that
	 * a repetition cannot mend for any type.
	 * @param errors the exceptions, subclasses included
	 * @return the changed copy
	 */
	public HandlerOptions noRetryFor(Set<Class<? extends Throwable>> errors) {
		Set<Class<? extends Throwable>> copy = Set.copyOf(errors);
		return with((draft) -> draft.noRetryFor = copy);
	}

	/**
	 * Sets how many jobs of the type run at once in this process.
	 * @param jobs at least 1
	 * @return the changed copy
	 */
	public HandlerOptions concurrency(int jobs) {
		Assert.isTrue(jobs >= 1, () -> "concurrency must be positive, not " + jobs);
		return with((draft) -> draft.concurrency = jobs);
	}

	/**
	 * Has the handler's writes and the success of its job committed together.
	 * @return the changed copy, with {@link JobHandler#transactional()}
	 */
	public HandlerOptions inTransaction() {
		return with((draft) -> draft.transactional = true);
	}

	/**
	 * Has what the handler returns kept with the job.
	 * @return the changed copy, with {@link JobHandler#keepResult()}
	 */
	public HandlerOptions keepingResult() {
		return with((draft) -> draft.keepResult = true);
	}

	/**
	 * Has due jobs of the type run together in one call of a handler that takes a list.
	 * @param most how many at most, from 2 to {@value Coalescing#LARGEST}
	 * @return the changed copy
	 */
	public HandlerOptions coalesce(int most) {
		return coalesce(most, Duration.ZERO);
	}

	/**
	 * Has due jobs of the type run together in one call of a handler that takes a list.
	 * @param most how many at most, from 2 to {@value Coalescing#LARGEST}
	 * @param wait how long the first of them waits for others, within its tolerance
	 * @return the changed copy
	 */
	public HandlerOptions coalesce(int most, Duration wait) {
		Coalescing together = new Coalescing(most, wait);
		return with((draft) -> draft.coalescing = together);
	}

	/**
	 * Has the jobs of the type run only while a window is open.
	 * @param name the name of a {@link Window}, see {@link JobHandler#window()}
	 * @return the changed copy
	 */
	public HandlerOptions window(String name) {
		RequestChecks.name("window", name);
		return with((draft) -> draft.window = name);
	}

	/**
	 * These options, and what they leave open from others.
	 * @param others the ones that count less
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

	/**
	 * Returns how often a job is tried that does not say so itself.
	 * @return from 1 to 32767, or {@code null} for the worker's default
	 */
	public @Nullable Integer maxAttempts() {
		return this.maxAttempts;
	}

	/**
	 * Returns how long an attempt may take before it is interrupted and fails.
	 * @return the time, or {@code null} for any time
	 */
	public @Nullable Duration timeout() {
		return this.timeout;
	}

	/**
	 * Returns who decides when a failed job is tried again.
	 * @return the policy, or {@code null} for the worker's
	 */
	public @Nullable RetryPolicy retry() {
		return this.retry;
	}

	/**
	 * Returns the exceptions, subclasses included, after which a job is failed for good.
	 * @return the exceptions, or {@code null} for none
	 */
	public @Nullable Set<Class<? extends Throwable>> noRetryFor() {
		return this.noRetryFor;
	}

	/**
	 * Returns how many jobs of the type run at once in this process.
	 * @return the number, or {@code null} for as many as there are slots
	 */
	public @Nullable Integer concurrency() {
		return this.concurrency;
	}

	/**
	 * Returns whether the handler's writes and its job's success are committed together.
	 * @return whether the handler is transactional
	 * @see JobHandler#transactional()
	 */
	public boolean transactional() {
		return this.transactional;
	}

	/**
	 * Returns whether what the handler returns is kept with the job.
	 * @return whether results are kept
	 * @see JobHandler#keepResult()
	 */
	public boolean keepResult() {
		return this.keepResult;
	}

	/**
	 * Returns how jobs of the type run together.
	 * @return how they do, or {@code null} if each runs alone
	 */
	public @Nullable Coalescing coalescing() {
		return this.coalescing;
	}

	/**
	 * Returns the {@link io.pgqueue.window.Window} that jobs of the type run in.
	 * @return the name of the window, or {@code null} for any time
	 */
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
