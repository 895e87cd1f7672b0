package io.rowqueue.autoconfigure;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Set;

import io.rowqueue.HandlerOptions;
import io.rowqueue.JobRequest;
import io.rowqueue.engine.support.PropertyCheck;
import io.rowqueue.engine.worker.WorkerSettings;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.PropertyMapper;
import org.springframework.boot.convert.DurationUnit;
import org.springframework.util.Assert;
import org.springframework.util.StringUtils;

/**
 * Options of one type of jobs.
 *
 * @param maxAttempts Maximum attempts of a job of this type, unless the job sets it.
 * @param timeout How long an attempt may take; then it is interrupted and fails. If a
 * duration suffix is not specified, seconds will be used.
 * @param retry When to retry failed jobs: fixed(30s), linear(10s, 5m), exponential(2s, 3,
 * 1h), delays(1s, 10s, 1m) or the name of a RetryPolicy bean.
 * @param noRetryFor Exceptions, including subclasses, after which a job fails
 * permanently.
 * @param concurrency Maximum number of jobs of this type that run at once, in each
 * process.
 * @param window Window during which jobs of this type run.
 * @param retention How long to keep succeeded and cancelled jobs of this type, whatever
 * their queue. If a duration suffix is not specified, days will be used.
 * @param expiresIn How long after their enqueue jobs of this type are cancelled if they
 * have not begun. Applies to jobs that this application enqueues. If a duration suffix is
 * not specified, seconds will be used.
 * @param lease Time after the last heartbeat at which jobs of this type are recovered, if
 * it differs from the lease of the worker. They run in another worker of this process
 * then, with as many slots as the concurrency of the type, which is required. If a
 * duration suffix is not specified, seconds will be used.
 */
public record JobTypeProperties(@Nullable Integer maxAttempts,
		@DurationUnit(ChronoUnit.SECONDS) @Nullable Duration timeout, @Nullable String retry,
		@Nullable Set<Class<? extends Throwable>> noRetryFor, @Nullable Integer concurrency, @Nullable String window,
		@DurationUnit(ChronoUnit.DAYS) @Nullable Duration retention,
		@DurationUnit(ChronoUnit.SECONDS) @Nullable Duration expiresIn,
		@DurationUnit(ChronoUnit.SECONDS) @Nullable Duration lease) {

	/** Returns all options but the retry policy, which may be a bean. */
	public HandlerOptions options() {
		PropertyMapper map = PropertyMapper.get();
		HandlerOptions options = HandlerOptions.NONE;
		options = map.from(this.maxAttempts).to(options, HandlerOptions::maxAttempts);
		options = map.from(this.timeout).to(options, HandlerOptions::timeout);
		options = map.from(this.noRetryFor).to(options, HandlerOptions::noRetryFor);
		options = map.from(this.concurrency).to(options, HandlerOptions::concurrency);
		options = map.from(this.retention).to(options, HandlerOptions::retention);
		return map.from(this.window).when(StringUtils::hasText).to(options, HandlerOptions::window);
	}

	void check(String property) {
		PropertyCheck.of(property, this::options);
		Duration expiry = this.expiresIn;
		if (expiry != null) {
			PropertyCheck.of(property, () -> JobRequest.of("type").expiresIn(expiry));
		}
		Duration lease = this.lease;
		if (lease != null) {
			PropertyCheck.of(property, () -> WorkerSettings.DEFAULT.withLease(lease));
		}
		if (this.noRetryFor != null) {
			for (Class<?> type : this.noRetryFor) {
				PropertyCheck.value(property + ".no-retry-for", () -> Assert
					.isTrue(Throwable.class.isAssignableFrom(type), type.getName() + " is no exception"));
			}
		}
	}

}
