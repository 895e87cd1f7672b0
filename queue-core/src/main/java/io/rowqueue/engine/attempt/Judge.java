package io.rowqueue.engine.attempt;

import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.TimeoutException;

import io.rowqueue.CancelJobException;
import io.rowqueue.SnoozeJobException;
import io.rowqueue.StopReason;
import io.rowqueue.engine.attempt.AttemptOutcome.Cancelled;
import io.rowqueue.engine.attempt.AttemptOutcome.Failed;
import io.rowqueue.engine.attempt.AttemptOutcome.PutBack;
import io.rowqueue.engine.attempt.AttemptOutcome.Released;
import io.rowqueue.engine.attempt.AttemptOutcome.Snoozed;
import io.rowqueue.engine.attempt.AttemptOutcome.Suspended;
import io.rowqueue.engine.lease.ClaimedJob;
import io.rowqueue.engine.lease.Failure;
import io.rowqueue.engine.lease.Snooze;
import io.rowqueue.engine.signal.Wait;
import io.rowqueue.engine.support.Causes;
import io.rowqueue.engine.support.ErrorText;
import io.rowqueue.engine.support.JobLog;
import io.rowqueue.engine.support.Outage;
import io.rowqueue.engine.support.Times;
import io.rowqueue.listen.AttemptEnd;
import io.rowqueue.listen.JobListener;
import io.rowqueue.masking.SensitiveText;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** Judges attempts whose handler threw. */
public final class Judge {

	private static final Logger logger = JobLog.logger();

	private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

	private final FailureLog log = new FailureLog();

	private final Retries retries;

	private final JobListener listener;

	/**
	 * Creates the judge.
	 * @param listener notified of each judgement
	 */
	public Judge(Retries retries, JobListener listener) {
		this.retries = retries;
		this.listener = listener;
	}

	/** The handler returned. */
	void succeeded(ActiveJob job) {
		tell(job, AttemptEnd.Outcome.SUCCEEDED, null);
	}

	/** The handler was not called. */
	void cancelled(ActiveJob job) {
		tell(job, AttemptEnd.Outcome.CANCELLED, null);
	}

	/**
	 * The handler was not called: it is not the time.
	 * @return the outcome to write
	 */
	AttemptOutcome putOff(ActiveJob job, Instant until) {
		AttemptOutcome outcome = new Snoozed(job, new Snooze(job.job().lease(), null, until), null);
		tell(job, outcome.attemptOutcome(), null);
		return outcome;
	}

	/**
	 * The handler was not called, because a statement of the queue about this job has
	 * failed. What fails each time, such as to read a damaged row, costs attempts in the
	 * end, and until then less and less work.
	 * @return the outcome to write
	 */
	AttemptOutcome notBegun(ActiveJob job, RuntimeException error) {
		if (job.isLeased() && job.job().freeLeases() >= ClaimedJob.MAX_FREE_LEASES && !Outage.isTemporary(error)) {
			return cannotBegin(job, error);
		}
		Duration delay = job.isLeased() ? pause(job) : Duration.ZERO;
		logger.info("Releasing {}, which is next in {}: what it needs to begin could not be read or written: {}", job,
				Times.readable(delay), ErrorText.summaryOfRoot(error));
		return delay.isZero() ? new Released(job) : new PutBack(job, new Snooze(job.job().lease(), delay, null));
	}

	/**
	 * The handler was not called, and the attempt has failed.
	 * @return the outcome to write
	 */
	AttemptOutcome cannotBegin(ActiveJob job, RuntimeException error) {
		AttemptOutcome outcome = failed(job, error);
		tell(job, outcome.attemptOutcome(), error);
		return outcome;
	}

	/** Returns the outcome to write; empty if the lease is lost. */
	public Optional<AttemptOutcome> judge(ActiveJob job, Throwable error) {
		Optional<AttemptOutcome> outcome = outcome(job, error);
		outcome.ifPresent((each) -> tell(job, each.attemptOutcome(), error));
		return outcome;
	}

	/**
	 * The handler goes on although the worker has stopped. The first time costs no
	 * attempt; each further one does, because the handler may be what ends the process:
	 * it waits for the shutdown then, and the shutdown for it.
	 * @return the outcome to write
	 */
	public AttemptOutcome unresponsive(ActiveJob job) {
		AttemptOutcome outcome = new Released(job);
		IllegalStateException error = job.together().get(0).stuck("did not answer the interrupt of the shutdown");
		if (job.hadFreeLease()) {
			outcome = failed(job, error, (job.attempt() < job.maxAttempts()) ? Duration.ZERO : null);
		}
		tell(job, outcome.attemptOutcome(), error);
		return outcome;
	}

	private void tell(ActiveJob job, AttemptEnd.Outcome outcome, @Nullable Throwable error) {
		if (this.listener != JobListener.NONE) {
			this.listener.ended(job.context(), end(job, outcome, error));
		}
	}

	/** The end of an attempt now, in words for listeners. */
	public static AttemptEnd end(ActiveJob job, AttemptEnd.Outcome outcome, @Nullable Throwable error) {
		Duration ran = job.hasBegun() ? Duration.ofNanos(job.nanosSinceBegin()) : Duration.ZERO;
		return new AttemptEnd(outcome, ran, job.sinceEnqueue(), error);
	}

	private Optional<AttemptOutcome> outcome(ActiveJob job, Throwable error) {
		if (job.stopReason() == StopReason.LEASE_LOST) {
			logger.info("{} was stopped: its lease was lost, and another worker runs it", job);
			return Optional.empty();
		}
		if (job.stopReason() == StopReason.CANCELLED) {
			logger.info("{} was cancelled while it ran: {}", job, ErrorText.summary(error));
			return Optional.of(new Cancelled(job));
		}
		if (job.timeout() != null) {
			return Optional.of(failed(job, timeout(job, error)));
		}
		Optional<AttemptOutcome> putBack = putBack(job, error);
		if (putBack.isPresent()) {
			return putBack;
		}
		Optional<SnoozeJobException> snooze = Causes.find(error, SnoozeJobException.class);
		if (snooze.isPresent()) {
			return Optional.of(snoozed(job, snooze.get()));
		}
		if (job.stopReason() == StopReason.WINDOW_CLOSED && isInterruption(error)) {
			logger.info("{} was interrupted, since its window has closed, and goes back to the queue", job);
			return Optional.of(new Released(job));
		}
		if (job.stopReason() == StopReason.SHUTDOWN && isInterruption(error)) {
			logger.info("{} was interrupted by the shutdown and goes back to the queue", job);
			return Optional.of(new Released(job));
		}
		Optional<CancelJobException> cancel = Causes.find(error, CancelJobException.class);
		if (cancel.isPresent()) {
			logger.info("{} was cancelled by its handler: {}", job, ErrorText.message(cancel.get()));
			return Optional.of(new Cancelled(job));
		}
		return Optional.of(failed(job, error));
	}

	/** An interceptor may have wrapped it: it must not be its own cause. */
	private static Throwable timeout(ActiveJob job, Throwable error) {
		TimeoutException timeout = job.timeout();
		if (timeout != null && !Causes.of(error).contains(timeout)) {
			timeout.initCause(error);
		}
		return (timeout != null) ? timeout : error;
	}

	private static AttemptOutcome snoozed(ActiveJob job, SnoozeJobException snooze) {
		Wait wait = job.pendingWait();
		if (wait != null) {
			logger.info("{} waits for {}, at most {}", job, wait, Times.readable(wait.atMost()));
			return new Suspended(job, wait);
		}
		Duration delay = snooze.delay();
		logger.info("The handler of {} has postponed it {}: {}", job,
				(delay != null) ? "for " + Times.readable(delay) : "until " + snooze.until(),
				ErrorText.message(snooze));
		return new Snoozed(job, new Snooze(job.job().lease(), delay, snooze.until()), HeldJobs.of(job, snooze));
	}

	private AttemptOutcome failed(ActiveJob job, Throwable error) {
		return failed(job, error, this.retries.delayAfter(job, error));
	}

	/** That a job has failed permanently is logged when it is written. */
	private AttemptOutcome failed(ActiveJob job, Throwable error, @Nullable Duration delay) {
		long group = ErrorFingerprint.of(job.type(), error);
		if (delay != null) {
			this.log.retried(job, error, group, delay);
		}
		else {
			job.keepLogContext();
		}
		return new Failed(job,
				new Failure(job.job().lease(), ErrorText.of(error, (text) -> job.mask(SensitiveText.ERROR, text)),
						delay, group),
				end(job, (delay != null) ? AttemptEnd.Outcome.RETRIED : AttemptEnd.Outcome.FAILED, error));
	}

	/**
	 * The queue's own statements have failed, not the handler. To repeat those is free if
	 * the handler was not called; otherwise it is called again, and an administrator who
	 * ends its sessions each time must not keep it going for ever.
	 */
	private Optional<AttemptOutcome> putBack(ActiveJob job, Throwable error) {
		ConnectionLoss lost = job.lostTransaction();
		if (lost == null
				|| (lost == ConnectionLoss.AFTER_THE_HANDLER && job.job().freeLeases() >= ClaimedJob.MAX_FREE_LEASES)) {
			return Optional.empty();
		}
		Duration delay = pause(job);
		logger.warn("{} {}; that costs no attempt, and it is next in {}: {}", job,
				(lost == ConnectionLoss.BEFORE_THE_HANDLER) ? "was not run, since no transaction could be begun"
						: "has lost the database at the end of its transaction, which may be committed",
				Times.readable(delay), ErrorText.summaryOfRoot(error));
		logger.debug("{} has lost its transaction", job, error);
		return Optional.of(new PutBack(job, new Snooze(job.job().lease(), delay, null)));
	}

	/** Longer with each lease that has not cost an attempt; none after the first one. */
	private static Duration pause(ActiveJob job) {
		long exponent = Math.min(job.job().freeLeases(), 7);
		return (exponent == 0) ? Duration.ZERO : Times.shorter(Duration.ofMillis(500L << exponent), LONGEST_PAUSE);
	}

	/**
	 * Libraries wrap an interruption in many ways; a thread that is still interrupted is
	 * one, too.
	 */
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
