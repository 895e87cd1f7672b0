package io.rowqueue.engine.attempt;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.rowqueue.FailJobException;
import io.rowqueue.StopReason;
import io.rowqueue.engine.attempt.AttemptOutcome.Cancelled;
import io.rowqueue.engine.attempt.AttemptOutcome.Released;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.job.JobWindows;
import io.rowqueue.engine.lease.LeaseStore.StoredPayload;
import io.rowqueue.engine.lease.LeaseStore;
import io.rowqueue.engine.support.Expiry;
import io.rowqueue.engine.support.JobLog;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.springframework.util.unit.DataSize;

/**
 * Decides for each job that has a slot whether its attempt takes place, and the outcome
 * if it does not: it was cancelled, the lease may be lost, its own window is closed, or
 * its payload cannot be read.
 */
public final class AttemptGate {

	private static final Logger logger = JobLog.logger();

	/** Most jobs that kill their process do so at once. */
	private static final Duration PROBATION = Duration.ofSeconds(5);

	private final Judge judge;

	private final LeaseStore leases;

	private final JobWindows windows;

	private final DataSize maxPayloadSize;

	private final long workerId;

	private final BooleanSupplier leaseIsSure;

	private final Probation probation = new Probation(PROBATION);

	/**
	 * Creates the gate.
	 * @param database the database as workers see it
	 * @param windows knows when the windows of jobs are closed
	 * @param maxPayloadSize the longest payload that is read
	 * @param leaseIsSure whether no other worker can have been given this worker's jobs
	 */
	public AttemptGate(Judge judge, QueueDatabase database, JobWindows windows, DataSize maxPayloadSize, long workerId,
			BooleanSupplier leaseIsSure) {
		this.judge = judge;
		this.leases = new LeaseStore(database);
		this.windows = windows;
		this.maxPayloadSize = maxPayloadSize;
		this.workerId = workerId;
		this.leaseIsSure = leaseIsSure;
	}

	/**
	 * Returns the jobs whose attempt takes place. {@link #ended} follows each call.
	 * @param jobs the jobs of one call
	 * @param instead takes the outcomes of the others
	 */
	List<ActiveJob> admit(List<ActiveJob> jobs, Consumer<AttemptOutcome> instead) {
		if (jobs.size() == 1) {
			return isAdmitted(jobs.get(0), null, instead) ? jobs : List.of();
		}
		Map<String, Optional<Instant>> windows = new HashMap<>();
		return jobs.stream().filter((job) -> isAdmitted(job, windows, instead)).toList();
	}

	/**
	 * The call for jobs of this thread has ended. In its first attempt, no job is on
	 * probation.
	 */
	void ended(List<ActiveJob> jobs) {
		for (ActiveJob job : jobs) {
			if (job.attempt() > 1) {
				this.probation.end();
			}
		}
	}

	private boolean isAdmitted(ActiveJob job, @Nullable Map<String, Optional<Instant>> windows,
			Consumer<AttemptOutcome> instead) {
		Carrier carried = job.carrier();
		if (carried != null && carried.isLost()) {
			return false; // another process has it, and this one has nothing to write
		}
		@Nullable Supplier<AttemptOutcome> refusal;
		try {
			refusal = refusal(job, windows);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			refusal = () -> new Released(job);
		}
		catch (RuntimeException ex) {
			refusal = () -> this.judge.notBegun(job, ex);
		}
		if (refusal == null) {
			return !isDecided(job);
		}
		if (job.conclude()) {
			instead.accept(refusal.get());
		}
		return false;
	}

	/** A stop does not wait for a database that does not answer: it releases the job. */
	private static boolean isDecided(ActiveJob job) {
		boolean decided = job.isConcluded();
		if (decided) {
			logger.info("{} does not begin: it was released meanwhile", job);
		}
		return decided;
	}

	/**
	 * Asks whether the attempt takes place.
	 * @return what decides the outcome if it does not; {@code null}: it does
	 */
	private @Nullable Supplier<AttemptOutcome> refusal(ActiveJob job, @Nullable Map<String, Optional<Instant>> windows)
			throws InterruptedException {
		if (job.job().cancelRequested() || job.stopReason() == StopReason.CANCELLED) {
			return () -> cancelled(job, "was cancelled", null);
		}
		if (!isHeld(job)) {
			return () -> new Released(job);
		}
		// an attempt that was snoozed, or the one before a manual retry, has begun
		if (job.isExpired() && (!job.hadFreeLease() || this.leases.mayExpire(job.id()))) {
			return () -> cancelled(job, "has expired", Expiry.REASON);
		}
		if (!isShown(job)) {
			return () -> new Released(job);
		}
		Instant opens = closedUntil(job, windows);
		return (opens != null) ? () -> putOff(job, opens) : payloadRefusal(job);
	}

	private AttemptOutcome cancelled(ActiveJob job, String what, @Nullable String reason) {
		logger.info("{} {} before it began", job, what);
		this.judge.cancelled(job);
		return new Cancelled(job, reason);
	}

	private AttemptOutcome putOff(ActiveJob job, Instant opens) {
		logger.info("{} is postponed until {}: the window '{}' is closed", job, opens, job.window());
		return this.judge.putOff(job, opens);
	}

	/** Whether no other process can have got the job. */
	private boolean isHeld(ActiveJob job) {
		Carrier carried = job.carrier();
		if (carried != null && !carried.isParked()) {
			if (!carried.isExclusive()) {
				logger.info("Releasing {}: the broker may have delivered it to another process", job);
			}
			return carried.isExclusive();
		}
		boolean sure = this.leaseIsSure.getAsBoolean();
		if (!sure) {
			logger.info("Releasing {}: no heartbeat of this process was confirmed for so long that other workers may"
					+ " run the job", job);
		}
		return sure;
	}

	/**
	 * Whether the attempt may begin as far as earlier deaths are concerned. The database
	 * shows a job that may have killed a process as running before it begins: if it kills
	 * this one, that costs an attempt. One that was running when a process died does not
	 * begin beside another such job. All others are shown when they have run for a while.
	 * @return {@code false} if the job is to stop, or the lease is lost
	 */
	private boolean isShown(ActiveJob job) throws InterruptedException {
		if (!job.isLeased() || (job.attempt() == 1 && !job.hadFreeLease())) {
			return true;
		}
		boolean died = job.attempt() > 1 && this.leases.hasDied(this.workerId, job.job().lease());
		if (!died && !job.hadFreeLease()) {
			return true;
		}
		if ((!died || this.probation.begin(job)) && this.leases.running(this.workerId, job.job().lease())) {
			job.markedRunning();
			return true;
		}
		return false;
	}

	/**
	 * A claim looks at the windows of queues and types only; a window of the job's own is
	 * looked at here.
	 * @param known the windows that were read for other jobs of the call, and until when
	 * they are closed; {@code null}: there are no others
	 */
	private @Nullable Instant closedUntil(ActiveJob job, @Nullable Map<String, Optional<Instant>> known) {
		String window = job.window();
		if (window == null) {
			return null;
		}
		Optional<Instant> closed = (known != null) ? known.computeIfAbsent(window, this.windows::closedUntil)
				: this.windows.closedUntil(window);
		return closed.orElse(null);
	}

	/** Reads a payload that the claim has not read, because of its size. */
	private @Nullable Supplier<AttemptOutcome> payloadRefusal(ActiveJob job) {
		if (!job.job().payloadDeferred()) {
			return null;
		}
		StoredPayload payload = this.leases.payload(this.workerId, job.job().lease(), this.maxPayloadSize.toBytes())
			.orElse(null);
		if (payload == null) {
			return () -> new Released(job); // the lease is lost
		}
		String json = payload.json();
		if (json == null) {
			return () -> this.judge.cannotBegin(job, tooLong(payload));
		}
		job.payload(json);
		return null;
	}

	private FailJobException tooLong(StoredPayload payload) {
		return new FailJobException("The payload has %s bytes, more than rowqueue.worker.max-payload-size: %s"
			.formatted(payload.bytes(), this.maxPayloadSize.toBytes()));
	}

}
