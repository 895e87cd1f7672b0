package io.pgqueue.maintenance;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

import io.pgqueue.JobState;
import io.pgqueue.store.Arrivals;
import io.pgqueue.store.RecoveredJob;
import io.pgqueue.store.WorkerStore;
import io.pgqueue.support.JobLog;
import io.pgqueue.support.Rest;
import io.pgqueue.wakeup.WakeUps;
import org.slf4j.Logger;

/**
 * Takes jobs from workers that do not live: at once when one was buried, and now and then
 * those that were out of reach then.
 */
final class OrphanedJobs {

	/** For so long jobs may still come of a claim that was under way at the burial. */
	private static final Duration MOURNING = Duration.ofSeconds(5);

	/** Dead rows that cannot be removed are looked at as well: then it is less often. */
	private static final Duration LOOK_EVERY = Duration.ofSeconds(10);

	private static final int BATCH = 1000;

	private static final Logger logger = JobLog.logger();

	private final WorkerStore store;

	private final WakeUps wakeUps;

	private final int maxAttempts;

	private final LongSupplier nanoTime;

	private long mourningUntil;

	private long next;

	OrphanedJobs(WorkerStore store, WakeUps wakeUps, int maxAttempts, LongSupplier nanoTime) {
		this.store = store;
		this.wakeUps = wakeUps;
		this.maxAttempts = maxAttempts;
		this.nanoTime = nanoTime;
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
			recover();
			long end = this.nanoTime.getAsLong();
			Duration shortest = (end - this.mourningUntil < 0) ? Duration.ZERO : LOOK_EVERY;
			this.next = end + Rest.TWENTYFOLD.after(Duration.ofNanos(end - begin), shortest).toNanos();
		}
	}

	/** Whether it is time to look. */
	boolean isDue() {
		return this.nanoTime.getAsLong() - this.next >= 0;
	}

	private void recover() {
		List<RecoveredJob> jobs;
		do {
			jobs = this.store.recover(this.maxAttempts, BATCH);
			report(jobs);
			this.wakeUps.jobsArrived(Arrivals.of(jobs.stream().map(RecoveredJob::queue).toList()));
		}
		while (jobs.size() == BATCH);
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
