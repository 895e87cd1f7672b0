package io.rowqueue.engine.recovery;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

import io.rowqueue.JobState;
import io.rowqueue.engine.recovery.RecoveryStore.RecoveredJob;
import io.rowqueue.engine.support.JobLog;
import io.rowqueue.engine.support.Outage;
import io.rowqueue.engine.support.Pace;
import io.rowqueue.engine.wakeup.Arrivals;
import io.rowqueue.engine.wakeup.WakeUps;
import org.slf4j.Logger;

/**
 * Takes jobs from dead workers: at once when one is declared dead, and every ten seconds
 * those that could not be taken then, because their rows were locked, for example. A job
 * whose recovery the database refuses holds up no others.
 */
final class JobRecovery {

	/**
	 * How long a worker that was declared dead may get jobs of a claim that was under way
	 * then.
	 */
	private static final Duration LATE_CLAIM_GRACE = Duration.ofSeconds(5);

	/** Longer while dead rows that cannot be removed make each look slow. */
	private static final Duration LOOK_EVERY = Duration.ofSeconds(10);

	private static final int JOBS_PER_STATEMENT = 1000;

	private static final Logger logger = JobLog.logger();

	/**
	 * After this number of jobs that could not be recovered because the disk is full, and
	 * none that could, the others are not tried.
	 */
	private static final int MAX_WITHOUT_ROOM = 10;

	private final RecoveryStore store;

	private final WakeUps wakeUps;

	private final RecoveryRules rules;

	private final LongSupplier nanoTime;

	private final RefusedRecoveries refused;

	private final Pace looks;

	private final Pace endOfGrace;

	JobRecovery(RecoveryStore store, WakeUps wakeUps, RecoveryRules rules, LongSupplier nanoTime) {
		this.store = store;
		this.wakeUps = wakeUps;
		this.rules = rules;
		this.nanoTime = nanoTime;
		this.refused = new RefusedRecoveries(nanoTime);
		this.looks = Pace.dueNow(LOOK_EVERY, nanoTime);
		this.endOfGrace = Pace.dueNow(LATE_CLAIM_GRACE, nanoTime);
	}

	/**
	 * Takes the jobs if it is time to look.
	 * @param declaredDead whether a worker was declared dead just now
	 */
	void recover(boolean declaredDead) {
		if (declaredDead) {
			this.endOfGrace.next();
			this.looks.hurry();
		}
		if (this.looks.isDue()) {
			long begin = this.nanoTime.getAsLong();
			boolean together = recover();
			Duration taken = together ? Duration.ofNanos(this.nanoTime.getAsLong() - begin) : Duration.ZERO;
			if (this.endOfGrace.isDue()) {
				this.looks.rest(taken);
			}
			else {
				this.looks.next(Pace.restAfter(taken));
			}
		}
		if (this.refused.isDue()) {
			recoverApart(this.refused.ids());
		}
	}

	/** Whether it is time to look. */
	boolean isDue() {
		return this.looks.isDue() || this.refused.isDue();
	}

	/** Returns whether those that were tried together could be recovered together. */
	private boolean recover() {
		boolean together = true;
		int tried;
		int recovered;
		do {
			List<Long> refused = this.refused.ids();
			try {
				List<RecoveredJob> jobs = this.store.recover(this.rules, JOBS_PER_STATEMENT, refused);
				log(jobs);
				wakeUp(jobs);
				tried = jobs.size();
				recovered = tried;
			}
			catch (RuntimeException ex) {
				Outage.requireDatabase(ex);
				List<Long> ids = this.store.jobsOfDeadWorkers(JOBS_PER_STATEMENT, refused);
				if (ids.isEmpty()) {
					throw ex;
				}
				logger.debug("Each of {} jobs is recovered alone", ids.size(), ex);
				together = false;
				tried = ids.size();
				recovered = recoverApart(ids);
			}
		}
		while (tried == JOBS_PER_STATEMENT && recovered > 0);
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
					this.store.recoverOne(this.rules, id).ifPresent(recovered::add);
					this.refused.remove(id);
				}
				catch (RuntimeException ex) {
					Outage.requireDatabase(ex);
					this.refused.add(id, ex);
					withoutRoom += Outage.isFull(ex) ? 1 : 0;
				}
				if (withoutRoom >= MAX_WITHOUT_ROOM && recovered.isEmpty()) {
					break; // it is not because of these jobs
				}
			}
		}
		finally {
			log(recovered);
			wakeUp(recovered);
			this.refused.tried(begin);
		}
		return recovered.size();
	}

	private void wakeUp(List<RecoveredJob> jobs) {
		this.wakeUps.jobsArrived(Arrivals.of(jobs.stream().map(RecoveredJob::queue).toList()));
	}

	private static void log(List<RecoveredJob> jobs) {
		count(jobs, JobState.QUEUED)
			.forEach((worker, types) -> logger.warn("Queued again from dead worker {}: {}", worker, types));
		count(jobs, JobState.SCHEDULED).forEach((worker, types) -> logger
			.warn("Ran on dead worker {}, and run again after a pause: {}", worker, types));
		jobs.stream()
			.filter((job) -> job.state() == JobState.FAILED)
			.forEach((job) -> logger.error("Job {} ({}) failed permanently: {}", job.id(), job.type(), job.error()));
	}

	private static Map<Long, Map<String, Long>> count(List<RecoveredJob> jobs, JobState state) {
		return jobs.stream()
			.filter((job) -> job.state() == state)
			.collect(Collectors.groupingBy(RecoveredJob::workerId, TreeMap::new,
					Collectors.groupingBy(RecoveredJob::type, TreeMap::new, Collectors.counting())));
	}

}
