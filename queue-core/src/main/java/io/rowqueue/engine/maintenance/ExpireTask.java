package io.rowqueue.engine.maintenance;

import java.time.Duration;
import java.util.List;
import java.util.function.BiConsumer;

import io.rowqueue.engine.maintenance.MaintenanceStore.ExpiredJob;
import io.rowqueue.engine.support.JobLog;
import org.slf4j.Logger;

/**
 * Cancels jobs that have expired before they began. A worker checks the jobs that it
 * holds itself.
 */
public final class ExpireTask extends PeriodicTask {

	private static final Logger logger = JobLog.logger();

	private static final int JOBS_PER_STATEMENT = 500;

	/** Other tasks get their turn in between. */
	private static final int STATEMENTS_PER_RUN = 10;

	private final MaintenanceStore store;

	private final BiConsumer<String, String> listener;

	/**
	 * Creates the task.
	 * @param store cancels jobs
	 * @param listener is notified of the queue and type of each job that has expired
	 */
	public ExpireTask(MaintenanceStore store, BiConsumer<String, String> listener) {
		super("expire", Duration.ofSeconds(1), MaintenanceStore.EXPIRY);
		this.store = store;
		this.listener = listener;
	}

	@Override
	public void run() {
		List<ExpiredJob> expired;
		int statements = 0;
		do {
			expired = this.store.expire(JOBS_PER_STATEMENT);
			expired.forEach(this::expired);
		}
		while (expired.size() == JOBS_PER_STATEMENT && ++statements < STATEMENTS_PER_RUN);
	}

	private void expired(ExpiredJob job) {
		logger.info("Job {} ({}) has expired before it began", job.id(), job.type());
		this.listener.accept(job.queue(), job.type());
	}

}
