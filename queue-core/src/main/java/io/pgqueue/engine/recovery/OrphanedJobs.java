package io.pgqueue.engine.recovery;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

import io.pgqueue.JobState;
import io.pgqueue.engine.support.JobLog;
import io.pgqueue.engine.support.Outage;
import io.pgqueue.engine.support.Rest;
import io.pgqueue.engine.wakeup.Arrivals;
import io.pgqueue.engine.wakeup.WakeUps;
import io.pgqueue.engine.worker.RecoveredJob;
import io.pgqueue.engine.worker.WorkerStore;
import org.slf4j.Logger;

/**
 * Takes jobs from workers that do not live: at once when one was buried, and now and then
 * those that were out of reach then. One whose recovery the database refuses holds up no
 * others.
 */
final class OrphanedJobs {

	/** For so long jobs may still come of a claim that was under way at the burial. */
	private static final Duration MOURNING = Duration.ofSeconds(5);

	/** Dead rows that cannot be removed are looked at as well: then it is less often. */
	private static final Duration LOOK_EVERY = Duration.ofSeconds(10);

	private static final int BATCH = 1000;

	private static final Logger logger = JobLog.logger();

	/** So many that fail for want of room, and no other one succeeds: there is none. */
	private static final int MOST_WITHOUT_ROOM = 10;

	private final WorkerStore store;

	private final WakeUps wakeUps;

	private final int maxAttempts;

	private final LongSupplier nanoTime;

	private final RefusedRecoveries refused;

	private long mourningUntil;

	private long next;

	OrphanedJobs(WorkerStore store, WakeUps wakeUps, int maxAttempts, LongSupplier nanoTime) {
		this.store = store;
		this.wakeUps = wakeUps;
		this.maxAttempts = maxAttempts;
		this.nanoTime = nanoTime;
		this.refused = new RefusedRecoveries(nanoTime);
		this.next = nanoTime.getAsLong();
		this.mourningUntil = this.next;
	}

	/**
	 * Takes them if it is time to look.
	 * @param buried whether a worker was buried just now
	 */
	void recover(boolean buried) {
		long begin = this.nanoTime.getAsLong();
		if (buried) {
			this.mourningUntil = begin + MOURNING.toNanos();
			this.next = begin;
		}
		if (begin - this.next >= 0) {
			boolean together = recover();
			long end = this.nanoTime.getAsLong();
			Duration taken = together ? Duration.ofNanos(end - begin) : Duration.ZERO;
			Duration shortest = (end - this.mourningUntil < 0) ? Duration.ZERO : LOOK_EVERY;
			this.next = end + Rest.TWENTYFOLD.after(taken, shortest).toNanos();
		}
		if (this.refused.isDue()) {
			recoverApart(this.refused.ids());
		}
	}

	/** Whether it is time to look. */
	boolean isDue() {
		return this.nanoTime.getAsLong() - this.next >= 0 || this.refused.isDue();
	}

	/** Returns whether those that were tried together could be recovered together. */
	private boolean recover() {
		boolean together = true;
		int tried;
		int recovered;
		do {
			List<Long> refused = this.refused.ids();
			try {
				List<RecoveredJob> jobs = this.store.recover(this.maxAttempts, BATCH, refused);
				tell(jobs);
				tried = jobs.size();
				recovered = tried;
			}
			catch (RuntimeException ex) {
				requireDatabase(ex);
				List<Long> ids = this.store.orphans(BATCH, refused);
				if (ids.isEmpty()) {
					throw ex;
				}
				logger.debug("Each of {} jobs is recovered alone", ids.size(), ex);
				together = false;
				tried = ids.size();
				recovered = recoverApart(ids);
			}
		}
		while (tried == BATCH && recovered > 0);
		return together;
	}

	/**
	 * Recovers each job alone, so that one that the database refuses holds up no others.
	 * Returns how many were recovered.
	 */
	private int recoverApart(List<Long> ids) {
		long begin = this.nanoTime.getAsLong();
		List<RecoveredJob> recovered = new ArrayList<>();
		int withoutRoom = 0;
		try {
			for (long id : ids) {
				try {
					this.store.recoverOne(this.maxAttempts, id).ifPresent(recovered::add);
					this.refused.remove(id);
				}
				catch (RuntimeException ex) {
					requireDatabase(ex);
					this.refused.add(id, ex);
					withoutRoom += Outage.isFull(ex) ? 1 : 0;
				}
				if (withoutRoom >= MOST_WITHOUT_ROOM && recovered.isEmpty()) {
					break; // it is not because of these jobs
				}
			}
		}
		finally {
			tell(recovered);
			this.refused.tried(begin);
		}
		return recovered.size();
	}

	/** If the database is away, all of them are recovered when it is back. */
	private static void requireDatabase(RuntimeException error) {
		if (Outage.isAway(error) && !Outage.isFull(error)) {
			throw error;
		}
	}

	private void tell(List<RecoveredJob> jobs) {
		report(jobs);
		this.wakeUps.jobsArrived(Arrivals.of(jobs.stream().map(RecoveredJob::queue).toList()));
	}

	private static void report(List<RecoveredJob> jobs) {
		Map<Long, Map<String, Long>> requeued = jobs.stream()
			.filter((job) -> job.state() == JobState.QUEUED)
			.collect(Collectors.groupingBy(RecoveredJob::workerId, TreeMap::new,
					Collectors.groupingBy(RecoveredJob::type, TreeMap::new, Collectors.counting())));
		requeued.forEach((worker, types) -> logger.warn("Queued again from dead worker {}: {}", worker, types));
		jobs.stream()
			.filter((job) -> job.state() == JobState.FAILED)
			.forEach((job) -> logger.error("Job {} ({}) failed for good: worker {} died in its last attempt", job.id(),
					job.type(), job.workerId()));
	}

}
