package io.rowqueue.engine.attempt;

import java.time.Duration;
import java.util.Objects;
import java.util.Set;

import io.rowqueue.FailJobException;
import io.rowqueue.JobRequest;
import io.rowqueue.RetryPolicy;
import io.rowqueue.engine.handler.InvalidJobHandlerException;
import io.rowqueue.engine.support.Causes;
import io.rowqueue.engine.support.ErrorText;
import io.rowqueue.engine.support.FirstOfAMinute;
import io.rowqueue.engine.support.JobLog;
import io.rowqueue.engine.support.Times;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** Decides whether a job that failed is tried again, and when. */
public final class Retries {

	private static final Logger logger = JobLog.logger();

	private final RetryPolicy policy;

	private final FirstOfAMinute<Class<?>> firsts = new FirstOfAMinute<>();

	/**
	 * Creates the decision.
	 * @param policy for types that have none of their own
	 */
	public Retries(RetryPolicy policy) {
		this.policy = policy;
	}

	/** The pause before the next attempt; {@code null}: there is none. */
	@Nullable Duration delayAfter(ActiveJob job, Throwable error) {
		if (job.attempt() >= job.maxAttempts() || isFinal(job, error)) {
			return null;
		}
		try {
			return storable(policyFor(job).delayAfter(job.context(), error));
		}
		catch (Throwable ex) {
			if (this.firsts.test(ex.getClass())) {
				logger.error("The retry policy failed on {}; the default one decides. Further failures of this kind are"
						+ " not logged for a minute: {}", job, ErrorText.of(ex));
			}
			return RetryPolicy.DEFAULT.delayAfter(job.context(), error);
		}
	}

	private RetryPolicy policyFor(ActiveJob job) {
		return Objects.requireNonNullElse(job.options().retry(), this.policy);
	}

	private static boolean isFinal(ActiveJob job, Throwable error) {
		Set<Class<? extends Throwable>> named = Objects.requireNonNullElse(job.options().noRetryFor(), Set.of());
		return named.stream().anyMatch((type) -> type.isInstance(error)) || error instanceof InvalidJobHandlerException
				|| Causes.find(error, FailJobException.class).isPresent();
	}

	private static @Nullable Duration storable(@Nullable Duration delay) {
		return (delay != null) ? Times.longer(Duration.ZERO, Times.shorter(delay, JobRequest.MAX_DELAY)) : null;
	}

}
