package io.pgqueue.engine.maintenance;

import java.time.Duration;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.Supplier;

import io.pgqueue.engine.maintenance.MaintenanceStore.PromotedJobs;
import io.pgqueue.engine.maintenance.MaintenanceStore.ReleasedJobs;
import io.pgqueue.engine.support.Every;
import io.pgqueue.engine.support.Rest;
import io.pgqueue.engine.wakeup.Arrivals;
import io.pgqueue.engine.wakeup.WakeUps;

/**
 * Makes scheduled jobs claimable when they are due, follow-ups when the job before them
 * is over, and jobs that run after others which ended unnoticed; ends batches, and wakes
 * the workers.
 * <p>
 * While an old transaction keeps dead rows, a promotion that began with the oldest
 * scheduled job would walk over all that were promoted since. So each begins where the
 * one before has ended, and a pass over all of them follows now and then: it finds those
 * that were locked, or committed long after they were due.
 */
public final class PromoteTask extends PeriodicTask {

	private static final Duration INTERVAL = Duration.ofMillis(250);

	private static final int BATCH = 5000;

	/** So many changes of batches are counted at once. */
	private static final int ROLL_UP = 50_000;

	/**
	 * If millions are due at once, other tasks get their turn after so many statements.
	 */
	private static final int MOST_BATCHES = 20;

	/** The task of the cluster that looks at all scheduled jobs again. */
	private static final String PASS = "promote_all";

	private static final Duration PASS_EVERY = Duration.ofSeconds(1);

	private final MaintenanceStore store;

	private final WakeUps wakeUps;

	private final Every passDue = new Every(PASS_EVERY);

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
		IndependentSteps parts = new IndependentSteps();
		parts.run(this::passIfDue);
		parts.run(() -> promote(this.store::promote));
		parts.run(() -> promote(this.store::followUp));
		parts.run(() -> release(() -> this.store.settleDependencies(BATCH)));
		parts.run(() -> release(() -> this.store.continueEnds(BATCH)));
		parts.run(() -> release(() -> this.store.rollUpBatches(ROLL_UP)));
		parts.end();
	}

	private void passIfDue() {
		if (this.passDue.isDue() && this.store.take(PASS, PASS_EVERY)) {
			pass();
		}
	}

	private void pass() {
		long begin = System.nanoTime();
		wake(this.store.promoteAll(BATCH));
		this.store.rest(PASS, Rest.TWENTYFOLD.after(Duration.ofNanos(System.nanoTime() - begin)));
	}

	private void promote(IntFunction<List<PromotedJobs>> statement) {
		int jobs = BATCH;
		for (int i = 0; i < MOST_BATCHES && jobs == BATCH; i++) {
			List<PromotedJobs> promoted = statement.apply(BATCH);
			wake(promoted);
			jobs = promoted.stream().mapToInt(PromotedJobs::jobs).sum();
		}
	}

	private void release(Supplier<ReleasedJobs> statement) {
		boolean more = true;
		for (int i = 0; i < MOST_BATCHES && more; i++) {
			ReleasedJobs released = statement.get();
			this.wakeUps.jobsArrived(released.arrivals());
			more = released.more();
		}
	}

	private void wake(List<PromotedJobs> promoted) {
		this.wakeUps.jobsArrived(Arrivals.of(promoted.stream().map(PromotedJobs::queue).toList()));
	}

}
