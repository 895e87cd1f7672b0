package io.rowqueue.engine.worker;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.rowqueue.StopReason;
import io.rowqueue.engine.attempt.ActiveJob;
import io.rowqueue.engine.attempt.ReportWriter;
import io.rowqueue.engine.finish.Finisher;
import io.rowqueue.engine.lease.Lease;
import io.rowqueue.engine.lease.LeaseStore;
import io.rowqueue.engine.slot.Pools;

/**
 * Shows which of the worker's jobs run for longer, how far they are and, on request, what
 * their handlers are doing, and stops those that are to be cancelled.
 */
final class Reporter {

	private static final Duration INTERVAL = Duration.ofSeconds(1);

	private final LeaseStore store;

	private final long workerId;

	private final Pools pools;

	private final Finisher finisher;

	private final ReportWriter reports;

	private final Runnable wake;

	private volatile int requested;

	private volatile int answered;

	/**
	 * What is to be cancelled and was not known here when that was asked: the answer to
	 * its claim was still to come, for example. Used by the thread that reports.
	 */
	private Set<Lease> missing = Set.of();

	/**
	 * Creates the reporter.
	 * @param wake asks for a turn, and returns at once
	 */
	Reporter(LeaseStore store, long workerId, Pools pools, Finisher finisher, Runnable wake) {
		this.store = store;
		this.workerId = workerId;
		this.pools = pools;
		this.finisher = finisher;
		this.reports = new ReportWriter(store, workerId);
		this.wake = wake;
	}

	/**
	 * Takes how often one of the worker's jobs was to be cancelled, or to log what its
	 * handler is doing, so far. Returns at once.
	 */
	void cancelRequests(int requests) {
		this.requested = requests;
		if (requests != this.answered) {
			this.wake.run();
		}
	}

	/** Reports, once a second while jobs run and when one is to be cancelled. */
	void turn() {
		int requests = this.requested;
		if (requests != this.answered) {
			cancel(new HashSet<>(this.store.cancelRequested(this.workerId)));
			this.store.takeStackRequest(this.workerId).ifPresent(this::logStack);
			this.answered = requests;
		}
		else if (!this.missing.isEmpty()) {
			Set<Lease> leases = new HashSet<>(this.store.cancelRequested(this.workerId));
			// the handlers of the others were asked to stop
			leases.retainAll(this.missing);
			cancel(leases);
		}
		List<ActiveJob> all = this.pools.running();
		this.reports.write(all);
		List<ActiveJob> running = all.stream()
			.filter((job) -> job.isLeased() && job.mustBeMarkedRunning(INTERVAL.toNanos()))
			.toList();
		if (!running.isEmpty()) {
			Set<Long> shown = new HashSet<>(
					this.store.running(this.workerId, running.stream().map((job) -> job.job().lease()).toList()));
			running.stream().filter((job) -> shown.contains(job.id())).forEach(ActiveJob::markedRunning);
		}
	}

	private void logStack(long jobId) {
		this.pools.running().stream().filter((job) -> job.id() == jobId).forEach(ActiveJob::logStack);
	}

	/** Stops these jobs, and remembers those that are not known here yet. */
	private void cancel(Set<Lease> leases) {
		this.pools.each((pool) -> pool.jobs().held().forEach((job) -> {
			if (leases.remove(job.job().lease())) {
				job.interrupt(StopReason.CANCELLED);
			}
		}));
		leases.removeAll(this.finisher.unwritten()); // after the pools, as jobs move
		this.missing = leases;
	}

}
