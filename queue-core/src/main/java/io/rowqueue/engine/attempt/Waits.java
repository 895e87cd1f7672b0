package io.rowqueue.engine.attempt;

import java.lang.reflect.Type;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

import io.rowqueue.JobQueueException;
import io.rowqueue.JobRequest;
import io.rowqueue.PayloadCodec;
import io.rowqueue.PayloadConversionException;
import io.rowqueue.SnoozeJobException;
import io.rowqueue.StopReason;
import io.rowqueue.engine.codec.EncryptingPayloadCodec;
import io.rowqueue.engine.job.JobStore;
import io.rowqueue.engine.signal.Wait;
import io.rowqueue.engine.signal.WaitStore.Awaited;
import io.rowqueue.engine.signal.WaitStore.Known;
import io.rowqueue.engine.signal.WaitStore;
import io.rowqueue.engine.support.RequestChecks;
import io.rowqueue.step.JobOutcome;
import io.rowqueue.step.JobSteps;
import io.rowqueue.step.JobWait.Kind;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.util.Assert;

/**
 * Lets handlers wait. A handler that waits ends its attempt with an exception and is
 * called again later, so that it holds no slot meanwhile. Not in the transaction of a
 * handler: what has happened outside does not depend on it.
 */
final class Waits {

	private static final Type OUTCOMES = new ParameterizedTypeReference<List<JobOutcome>>() {
	}.getType();

	private final WaitStore store;

	private final JobStore jobs;

	private final Steps steps;

	private final PayloadCodec codec;

	private final long workerId;

	/**
	 * Creates the waits.
	 * @param jobs finds jobs that a handler has enqueued and not committed
	 * @param steps records the outcomes of jobs
	 */
	Waits(WaitStore store, JobStore jobs, Steps steps, PayloadCodec codec, long workerId) {
		this.store = store;
		this.jobs = jobs;
		this.steps = steps;
		this.codec = EncryptingPayloadCodec.ofSignals(codec);
		this.workerId = workerId;
	}

	/** Receives a signal with its payload; empty if the wait for it has timed out. */
	<T> Optional<T> receive(ActiveJob job, String name, Type type, Duration timeout) {
		Known signal = await(job, name, timeout);
		if (signal.timedOut()) {
			return Optional.empty();
		}
		@SuppressWarnings("unchecked")
		T payload = (T) read(job, name, type, signal.payload());
		return Optional.of(payload);
	}

	/**
	 * Not the fault of the job's payload, so that the job is retried as its policy says,
	 * and the sender can replace the signal.
	 */
	private Object read(ActiveJob job, String name, Type type, @Nullable String payload) {
		String reason = "has no payload";
		@Nullable PayloadConversionException cause = null;
		try {
			@Nullable Object read = this.codec.read(payload, type, job.type());
			if (read != null) {
				return read;
			}
		}
		catch (PayloadConversionException ex) {
			reason = "cannot be read as " + type.getTypeName();
			cause = ex;
		}
		this.store.unreadable(this.workerId, job.job().lease(), name, payload);
		throw new JobQueueException(("The signal '%s' of %s %s. Send it again with the payload that the handler awaits,"
				+ " which replaces this one, or correct the handler%s")
			.formatted(name, job, reason, (cause != null) ? ": " + cause.getMessage() : ""), cause);
	}

	/** Returns whether the signal was sent; false if the wait for it has timed out. */
	boolean receive(ActiveJob job, String name, Duration timeout) {
		return !await(job, name, timeout).timedOut();
	}

	private Known await(ActiveJob job, String name, Duration timeout) {
		check("the name of a signal", name, "the timeout of a signal", timeout);
		Known known = find(job, Kind.SIGNAL, name);
		if (!known.answered() && (known.over() || !isPositive(timeout))) {
			this.store.timeOut(this.workerId, job.job().lease(), name);
			known = find(job, Kind.SIGNAL, name);
		}
		if (!known.answered()) {
			throw suspend(job, new Wait(job.job().lease(), Kind.SIGNAL, name, timeout));
		}
		return known;
	}

	void sleep(ActiveJob job, String name, Duration duration) {
		check("the name of a sleep", name, "the duration of a sleep", duration);
		if (isPositive(duration) && !find(job, Kind.SLEEP, name).over()) {
			throw suspend(job, new Wait(job.job().lease(), Kind.SLEEP, name, duration));
		}
	}

	/** Awaits the ends of jobs; what it returns is recorded as a step. */
	List<JobOutcome> awaitJobs(ActiveJob job, String name, Duration timeout, long... ids) {
		check("the name of a wait", name, "the timeout of a wait", timeout);
		Assert.isTrue(ids.length <= JobSteps.MAX_AWAITED_JOBS,
				() -> "%s cannot wait for %s jobs at once: at most %s. Let a batch count more, and its callback send a signal"
					.formatted(job, ids.length, JobSteps.MAX_AWAITED_JOBS));
		List<Long> jobs = Arrays.stream(ids).boxed().toList();
		try {
			@SuppressWarnings("unchecked")
			List<JobOutcome> outcomes = (List<JobOutcome>) Objects.requireNonNull(
					this.steps.run(job, "jobs:" + name, () -> outcomes(job, name, timeout, jobs), OUTCOMES));
			return outcomes;
		}
		catch (RuntimeException ex) {
			throw ex;
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex); // none is thrown
		}
	}

	private List<JobOutcome> outcomes(ActiveJob job, String name, Duration timeout, List<Long> ids) {
		boolean over = find(job, Kind.JOBS, name).over() || !isPositive(timeout);
		List<Awaited> awaited = this.store.outcomes(ids);
		awaited.forEach((each) -> checkIsHere(job, each));
		List<JobOutcome> outcomes = awaited.stream().map(Awaited::outcome).toList();
		if (over || outcomes.stream().allMatch(JobOutcome::hasEnded)) {
			return outcomes;
		}
		this.store.waitingFor(job.id(), ids).ifPresent((id) -> {
			throw new JobQueueException("%s cannot wait for job %s, which %s".formatted(job, id,
					(id == job.id()) ? "is the same job" : "waits for it"));
		});
		throw suspend(job, new Wait(job.job().lease(), Kind.JOBS, name, timeout, ids.stream().distinct().toList()));
	}

	/** What is gone has ended; what is not here yet, or elsewhere, may not have. */
	private void checkIsHere(ActiveJob job, Awaited awaited) {
		long id = awaited.outcome().id();
		if (awaited.elsewhere() || (!awaited.found() && this.jobs.find(id).isPresent())) {
			throw new JobQueueException(("There is no job %s that %s can wait for: its enqueue is not committed, or a"
					+ " message broker or another shard has it. Enqueue it in a step, outside of a transaction that the"
					+ " wait would roll back, with inDatabase(), and in the shard of this job")
				.formatted(id, job));
		}
	}

	private static void check(String nameOfName, String name, String nameOfTime, Duration time) {
		RequestChecks.name(nameOfName, name);
		RequestChecks.present(nameOfTime, time);
		Assert.isTrue(time.compareTo(JobRequest.MAX_DELAY) <= 0,
				() -> nameOfTime + " must be at most " + JobRequest.MAX_DELAY + ", not " + time);
	}

	private static boolean isPositive(Duration time) {
		return !time.isNegative() && !time.isZero();
	}

	private Known find(ActiveJob job, Kind kind, String name) {
		if (!job.isLeased()) {
			Objects.requireNonNull(job.carrier()).park(job);
		}
		return this.store.find(this.workerId, job.job().lease(), kind, name).orElseThrow(() -> {
			job.askToStop(StopReason.LEASE_LOST);
			return new JobQueueException(job + " cannot wait for '" + name + "': the lease was lost");
		});
	}

	private static SnoozeJobException suspend(ActiveJob job, Wait wait) {
		job.suspend(wait);
		return suspended(wait);
	}

	/** Ends the attempt of a handler that waits. */
	static SnoozeJobException suspended(Wait wait) {
		return SnoozeJobException.by(wait.atMost(), "waits for " + wait);
	}

}
