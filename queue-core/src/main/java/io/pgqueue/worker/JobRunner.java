package io.pgqueue.worker;

import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.time.Duration;
import java.util.Optional;

import io.pgqueue.JobRequest;
import io.pgqueue.PayloadConversionException;
import io.pgqueue.RetryPolicy;
import io.pgqueue.handler.InvalidJobHandlerException;
import io.pgqueue.store.Failure;
import io.pgqueue.support.Causes;
import io.pgqueue.support.ErrorText;
import io.pgqueue.support.Times;
import io.pgqueue.worker.ActiveJob.StopReason;
import io.pgqueue.worker.Outcome.Cancelled;
import io.pgqueue.worker.Outcome.Failed;
import io.pgqueue.worker.Outcome.Released;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs a job's handler in the calling thread and judges how it ended. */
final class JobRunner {

	private static final Logger logger = LoggerFactory.getLogger(JobRunner.class);

	private final HandlerCall handler;

	private final RetryPolicy retryPolicy;

	JobRunner(HandlerCall handler, RetryPolicy retryPolicy) {
		this.handler = handler;
		this.retryPolicy = retryPolicy;
	}

	/**
	 * Returns what to write down; nothing if that is done, or if the job is another
	 * worker's by now.
	 */
	Optional<Outcome> run(ActiveJob job) {
		if (job.job().cancelRequested() || job.stopReason() == StopReason.CANCELLED) {
			logger.info("{} was cancelled before it began", job);
			return Optional.of(new Cancelled(job));
		}
		job.begin();
		try {
			Optional<Outcome> outcome = this.handler.run(job);
			logger.debug("{} succeeded", job);
			return outcome;
		}
		catch (Throwable ex) { // whatever it was, the slot lives on and the job knows
			return broken(job, ex);
		}
		finally {
			job.end();
		}
	}

	private Optional<Outcome> broken(ActiveJob job, Throwable error) {
		if (job.stopReason() == StopReason.LEASE_LOST) {
			logger.info("{} was stopped: its lease was lost, and another worker runs it", job);
			return Optional.empty();
		}
		if (job.stopReason() == StopReason.CANCELLED) {
			logger.info("{} was cancelled while it ran: {}", job, ErrorText.summary(error));
			return Optional.of(new Cancelled(job));
		}
		if (job.stopReason() == StopReason.SHUTDOWN && isInterruption(error)) {
			logger.info("{} was interrupted by the shutdown and goes back to the queue", job);
			return Optional.of(new Released(job));
		}
		@Nullable Duration delay = retryDelay(job, error);
		log(job, error, delay);
		return Optional.of(new Failed(job, new Failure(job.job().lease(), ErrorText.of(error), delay)));
	}

	private @Nullable Duration retryDelay(ActiveJob job, Throwable error) {
		if (job.attempt() >= job.maxAttempts() || error instanceof PayloadConversionException
				|| error instanceof InvalidJobHandlerException) {
			return null;
		}
		try {
			return storable(this.retryPolicy.delayAfter(job.attempt(), error));
		}
		catch (Throwable ex) {
			logger.error("The retry policy failed on {}; the default one decides: {}", job, ErrorText.of(ex));
			return RetryPolicy.DEFAULT.delayAfter(job.attempt(), error);
		}
	}

	private static @Nullable Duration storable(@Nullable Duration delay) {
		if (delay == null || !delay.isNegative()) {
			return (delay == null || delay.compareTo(JobRequest.MAX_DELAY) <= 0) ? delay : JobRequest.MAX_DELAY;
		}
		return Duration.ZERO;
	}

	private static void log(ActiveJob job, Throwable error, @Nullable Duration delay) {
		try {
			if (delay != null) {
				logger.warn("{} failed in attempt {} of {}, next in {}: {}", job, job.attempt(), job.maxAttempts(),
						Times.readable(delay), ErrorText.summary(error));
				logger.debug("{} failed", job, error);
			}
			else {
				logger.error("{} failed for good in attempt {} of {}", job, job.attempt(), job.maxAttempts(), error);
			}
		}
		catch (Throwable ex) { // a logger asks the error for its message, which may fail
			logger.error("{} failed in attempt {} of {}: {}", job, job.attempt(), job.maxAttempts(),
					ErrorText.of(error));
		}
	}

	/** An interruption reaches a handler in many clothes; an interrupted thread tells. */
	private static boolean isInterruption(Throwable error) {
		if (Thread.currentThread().isInterrupted()) {
			return true;
		}
		return Causes.of(error)
			.stream()
			.anyMatch((cause) -> cause instanceof InterruptedException || cause instanceof InterruptedIOException
					|| cause instanceof ClosedByInterruptException);
	}

}
