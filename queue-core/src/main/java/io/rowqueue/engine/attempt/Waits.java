package io.rowqueue.engine.attempt;

import java.lang.reflect.Type;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

import io.rowqueue.JobQueueException;
import io.rowqueue.JobRequest;
import io.rowqueue.PayloadCodec;
import io.rowqueue.PayloadConversionException;
import io.rowqueue.SnoozeJobException;
import io.rowqueue.StopReason;
import io.rowqueue.engine.codec.EncryptingPayloadCodec;
import io.rowqueue.engine.signal.Wait;
import io.rowqueue.engine.signal.WaitStore.Known;
import io.rowqueue.engine.signal.WaitStore;
import io.rowqueue.engine.support.RequestChecks;
import io.rowqueue.step.JobWait.Kind;
import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

/**
 * Lets handlers wait. A handler that waits ends its attempt with an exception and is
 * called again later, so that it holds no slot meanwhile. Not in the transaction of a
 * handler: what has happened outside does not depend on it.
 */
final class Waits {

	private final WaitStore store;

	private final PayloadCodec codec;

	private final long workerId;

	Waits(WaitStore store, PayloadCodec codec, long workerId) {
		this.store = store;
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
