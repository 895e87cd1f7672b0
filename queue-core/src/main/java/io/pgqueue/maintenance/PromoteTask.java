package io.pgqueue.maintenance;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;

import io.pgqueue.store.MaintenanceStore;
import io.pgqueue.store.PromotedJobs;
import io.pgqueue.wakeup.WakeUps;

/**
 * Makes scheduled jobs claimable when they are due, follow-ups when the job before them
 * is over, and jobs that run after others which ended unnoticed; ends batches, and wakes
 * the workers.
 */
public final class PromoteTask extends PeriodicTask {

	private static final Duration INTERVAL = Duration.ofMillis(250);

	private static final int BATCH = 5000;

	/** So many changes of one batch are counted at once. */
	private static final int ROLL_UP = 50_000;

	/**
	 * If millions are due at once, other tasks get their turn after so many statements.
	 */
	private static final int MOST_BATCHES = 20;

	private final MaintenanceStore store;

	private final WakeUps wakeUps;

	/**
	 * Creates the task.
	 * @param store promotes
	 * @param wakeUps told of the jobs
	 */
	public PromoteTask(MaintenanceStore store, WakeUps wakeUps) {
		super("promote", INTERVAL, MaintenanceStore.PROMOTIONS);
		this.store = store;
		this.wakeUps = wakeUps;
	}

	@Override
	public void run() {
		promote(this.store::promote);
		promote(this.store::followUp);
		promote(this.store::settleDependencies);
		promote((limit) -> this.store.rollUpBatches(ROLL_UP));
	}

	private void promote(IntFunction<List<PromotedJobs>> statement) {
		int jobs = BATCH;
		for (int i = 0; i < MOST_BATCHES && jobs == BATCH; i++) {
			List<PromotedJobs> promoted = statement.apply(BATCH);
			Set<String> queues = new LinkedHashSet<>();
			promoted.forEach((each) -> queues.add(each.queue()));
			this.wakeUps.jobsArrived(queues);
			jobs = promoted.stream().mapToInt(PromotedJobs::jobs).sum();
		}
	}

}
