package io.rowqueue.engine.attempt;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

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
import org.springframework.dao.DataAccessException;
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
	 * Returns the jobs whose attempt takes place. {@link #ended()} follows each call.
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

	/** The call for the jobs that this thread has admitted has ended. */
	void ended() {
		this.probation.end();
	}

	private boolean isAdmitted(ActiveJob job, @Nullable Map<String, Optional<Instant>> windows,
			Consumer<AttemptOutcome> instead) {
		return isDue(job, instead) && isInTime(job, instead) && isShown(job, instead) && isOpen(job, windows, instead)
				&& hasPayload(job, instead) && !isDecided(job);
	}

	/** A stop does not wait for a database that does not answer: it releases the job. */
	private static boolean isDecided(ActiveJob job) {
		boolean decided = job.isConcluded();
		if (decided) {
			logger.info("{} does not begin: it was released meanwhile", job);
		}
		return decided;
	}

	private boolean isDue(ActiveJob job, Consumer<AttemptOutcome> instead) {
		if (job.job().cancelRequested() || job.stopReason() == StopReason.CANCELLED) {
			if (job.conclude()) {
				logger.info("{} was cancelled before it began", job);
				this.judge.cancelled(job);
				instead.accept(new Cancelled(job));
			}
			return false;
		}
		Carrier carried = job.carrier();
		if (carried != null && !carried.isParked()) {
			return isDelivered(job, carried, instead);
		}
		if (!this.leaseIsSure.getAsBoolean()) {
			logger.info("Releasing {}: no heartbeat of this process was confirmed for so long that other workers may"
					+ " run the job", job);
			release(job, instead);
			return false;
		}
		return true;
	}

	private boolean isInTime(ActiveJob job, Consumer<AttemptOutcome> instead) {
		if (!job.isExpired()) {
			return true;
		}
		try {
			// an attempt that was snoozed, or the one before a manual retry, has begun
			if (job.hadFreeLease() && !this.leases.mayExpire(job.id())) {
				return true;
			}
		}
		catch (DataAccessException ex) {
			release(job, "its expiry could not be read", ex, instead);
			return false;
		}
		if (job.conclude()) {
			logger.info("{} has expired before it began", job);
			this.judge.cancelled(job);
			instead.accept(new Cancelled(job, Expiry.REASON));
		}
		return false;
	}

	/** Whether no other process can have got the job from the broker. */
	private static boolean isDelivered(ActiveJob job, Carrier carried, Consumer<AttemptOutcome> instead) {
		if (carried.isLost()) {
			return false; // another process has it, and this one has nothing to write
		}
		if (carried.isExclusive()) {
			return true;
		}
		logger.info("Releasing {}: the broker may have delivered it to another process", job);
		release(job, instead);
		return false;
	}

	/**
	 * Whether the attempt may begin as far as earlier deaths are concerned. The database
	 * shows a job that may have killed a process as running before it begins: if it kills
	 * this one, that costs an attempt. One that was running when a process died does not
	 * begin beside another such job. All others are shown when they have run for a while.
	 */
	private boolean isShown(ActiveJob job, Consumer<AttemptOutcome> instead) {
		if (!job.isLeased() || (job.attempt() == 1 && !job.hadFreeLease())) {
			return true;
		}
		try {
			boolean died = job.attempt() > 1 && this.leases.hasDied(this.workerId, job.job().lease());
			if (!died && !job.hadFreeLease()) {
				return true;
			}
			if ((!died || this.probation.begin(job)) && this.leases.running(this.workerId, job.job().lease())) {
				job.markedRunning();
				return true;
			}
			release(job, instead); // it is to stop, or the lease is lost
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			release(job, instead);
		}
		catch (RuntimeException ex) {
			release(job, "it could not be marked as running", ex, instead);
		}
		return false;
	}

	/**
	 * A claim looks at the windows of queues and types only; a window of the job's own is
	 * looked at here.
	 * @param known the windows that were read for other jobs of the call, and until when
	 * they are closed; {@code null}: there are no others
	 */
	private boolean isOpen(ActiveJob job, @Nullable Map<String, Optional<Instant>> known,
			Consumer<AttemptOutcome> instead) {
		String window = job.window();
		if (window == null) {
			return true;
		}
		try {
			Optional<Instant> closed = (known != null) ? known.computeIfAbsent(window, this.windows::closedUntil)
					: this.windows.closedUntil(window);
			closed.filter((opens) -> job.conclude()).ifPresent((opens) -> {
				logger.info("{} is postponed until {}: the window '{}' is closed", job, opens, window);
				instead.accept(this.judge.putOff(job, opens));
			});
			return closed.isEmpty();
		}
		catch (RuntimeException ex) {
			release(job, "its window could not be read", ex, instead);
			return false;
		}
	}

	private boolean hasPayload(ActiveJob job, Consumer<AttemptOutcome> instead) {
		if (!job.job().payloadDeferred()) {
			return true;
		}
		@Nullable StoredPayload payload;
		try {
			payload = this.leases.payload(this.workerId, job.job().lease(), this.maxPayloadSize.toBytes()).orElse(null);
		}
		catch (DataAccessException ex) {
			release(job, "its payload could not be read", ex, instead);
			return false;
		}
		if (payload == null) {
			release(job, instead); // the lease is lost
			return false;
		}
		if (payload.json() == null) {
			if (job.conclude()) {
				this.judge.judge(job, tooLong(payload)).ifPresent(instead);
			}
			return false;
		}
		job.payload(payload.json());
		return true;
	}

	private FailJobException tooLong(StoredPayload payload) {
		return new FailJobException("The payload has %s bytes, more than rowqueue.worker.max-payload-size: %s"
			.formatted(payload.bytes(), this.maxPayloadSize.toBytes()));
	}

	private void release(ActiveJob job, String reason, RuntimeException error, Consumer<AttemptOutcome> instead) {
		if (job.conclude()) {
			instead.accept(this.judge.notBegun(job, reason, error));
		}
	}

	private static void release(ActiveJob job, Consumer<AttemptOutcome> instead) {
		if (job.conclude()) {
			instead.accept(new Released(job));
		}
	}

}
