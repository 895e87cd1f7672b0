package io.pgqueue;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

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
 * @param maxAttempts how often a job is tried that does not say so itself, from 1 to
 * 32767
 * @param timeout how long an attempt may take before it is interrupted and fails;
 * {@code null}: any time
 * @param retry decides when a failed job is tried again
 * @param noRetryFor exceptions, subclasses included, after which a job is failed for
 * good; what they cause or are caused by does not matter
 * @param concurrency how many jobs of the type run at once in this process; {@code null}:
 * as many as there are slots
 * @param transactional see {@link JobHandler#transactional()}
 * @param keepResult see {@link JobHandler#keepResult()}
 * @param coalescing how jobs of the type are run together; {@code null}: each alone
 * @param window the {@link Window} that jobs of the type are run in; {@code null}: at any
 * time
 * @since 0.1.0
 */
public record HandlerOptions(@Nullable Integer maxAttempts, @Nullable Duration timeout, @Nullable RetryPolicy retry,
		@Nullable Set<Class<? extends Throwable>> noRetryFor, @Nullable Integer concurrency, boolean transactional,
		boolean keepResult, @Nullable Coalescing coalescing, @Nullable String window) {

	/** Leaves everything to the worker. */
	public static final HandlerOptions NONE = new HandlerOptions(null, null, null, null, null, false, false, null,
			null);

	/**
	 * Checks every value.
	 * @throws IllegalArgumentException naming the value that is wrong and what is allowed
	 */
	public HandlerOptions {
		Assert.isTrue(maxAttempts == null || (maxAttempts >= 1 && maxAttempts <= Short.MAX_VALUE),
				() -> "maxAttempts must be from 1 to 32767, not " + maxAttempts);
		Assert.isTrue(timeout == null || (!timeout.isNegative() && !timeout.isZero()),
				() -> "timeout must be positive, not " + timeout);
		Assert.isTrue(concurrency == null || concurrency >= 1,
				() -> "concurrency must be positive, not " + concurrency);
		Assert.isTrue(coalescing == null || !transactional,
				"a handler that coalesces jobs cannot be transactional: they end one by one");
		Assert.isTrue(coalescing == null || !keepResult,
				"a handler that coalesces jobs cannot keep a result: they have none of their own");
		if (window != null) {
			RequestChecks.name("window", window);
		}
		noRetryFor = (noRetryFor != null) ? Set.copyOf(noRetryFor) : null;
	}

	/**
	 * Options of a handler that runs each job alone and at any time.
	 * @throws IllegalArgumentException naming the value that is wrong and what is allowed
	 */
	public HandlerOptions(@Nullable Integer maxAttempts, @Nullable Duration timeout, @Nullable RetryPolicy retry,
			@Nullable Set<Class<? extends Throwable>> noRetryFor, @Nullable Integer concurrency, boolean transactional,
			boolean keepResult) {
		this(maxAttempts, timeout, retry, noRetryFor, concurrency, transactional, keepResult, null, null);
	}

	/**
	 * Sets how often a job is tried that does not say so itself.
	 * @param attempts from 1 to 32767
	 * @return the changed copy
	 */
	public HandlerOptions maxAttempts(int attempts) {
		return new HandlerOptions(attempts, this.timeout, this.retry, this.noRetryFor, this.concurrency,
				this.transactional, this.keepResult, this.coalescing, this.window);
	}

	/**
	 * Sets how long an attempt may take. A handler that runs longer is interrupted, and
	 * its attempt fails however it ends.
	 * @param limit the longest time, positive
	 * @return the changed copy
	 */
	public HandlerOptions timeout(Duration limit) {
		return new HandlerOptions(this.maxAttempts, limit, this.retry, this.noRetryFor, this.concurrency,
				this.transactional, this.keepResult, this.coalescing, this.window);
	}

	/**
	 * Sets who decides when a failed job is tried again.
	 * @param policy the policy
	 * @return the changed copy
	 */
	public HandlerOptions retry(RetryPolicy policy) {
		return new HandlerOptions(this.maxAttempts, this.timeout, policy, this.noRetryFor, this.concurrency,
				this.transactional, this.keepResult, this.coalescing, this.window);
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
		return new HandlerOptions(this.maxAttempts, this.timeout, this.retry, all, this.concurrency, this.transactional,
				this.keepResult, this.coalescing, this.window);
	}

	/**
	 * Sets how many jobs of the type run at once in this process.
	 * @param jobs at least 1
	 * @return the changed copy
	 */
	public HandlerOptions concurrency(int jobs) {
		return new HandlerOptions(this.maxAttempts, this.timeout, this.retry, this.noRetryFor, jobs, this.transactional,
				this.keepResult, this.coalescing, this.window);
	}

	/**
	 * Has the handler's writes and the success of its job committed together.
	 * @return the changed copy, with {@link JobHandler#transactional()}
	 */
	public HandlerOptions inTransaction() {
		return new HandlerOptions(this.maxAttempts, this.timeout, this.retry, this.noRetryFor, this.concurrency, true,
				this.keepResult, this.coalescing, this.window);
	}

	/**
	 * Has what the handler returns kept with the job.
	 * @return the changed copy, with {@link JobHandler#keepResult()}
	 */
	public HandlerOptions keepingResult() {
		return new HandlerOptions(this.maxAttempts, this.timeout, this.retry, this.noRetryFor, this.concurrency,
				this.transactional, true, this.coalescing, this.window);
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
		return new HandlerOptions(this.maxAttempts, this.timeout, this.retry, this.noRetryFor, this.concurrency,
				this.transactional, this.keepResult, new Coalescing(most, wait), this.window);
	}

	/**
	 * Has the jobs of the type run only while a window is open.
	 * @param name the name of a {@link Window}, see {@link JobHandler#window()}
	 * @return the changed copy
	 */
	public HandlerOptions window(String name) {
		return new HandlerOptions(this.maxAttempts, this.timeout, this.retry, this.noRetryFor, this.concurrency,
				this.transactional, this.keepResult, this.coalescing, name);
	}

	/**
	 * These options, and what they leave open from others.
	 * @param others the ones that count less
	 * @return the combination
	 */
	public HandlerOptions orElse(HandlerOptions others) {
		return new HandlerOptions(either(this.maxAttempts, others.maxAttempts), either(this.timeout, others.timeout),
				either(this.retry, others.retry), either(this.noRetryFor, others.noRetryFor),
				either(this.concurrency, others.concurrency), this.transactional || others.transactional,
				this.keepResult || others.keepResult, either(this.coalescing, others.coalescing),
				either(this.window, others.window));
	}

	private static <T> @Nullable T either(@Nullable T first, @Nullable T second) {
		return (first != null) ? first : second;
	}

}
