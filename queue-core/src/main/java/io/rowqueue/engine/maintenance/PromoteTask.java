package io.rowqueue.engine.maintenance;

import java.time.Duration;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.Supplier;

import io.rowqueue.engine.maintenance.MaintenanceStore.PromotedJobs;
import io.rowqueue.engine.maintenance.MaintenanceStore.ReleasedJobs;
import io.rowqueue.engine.support.Pace;
import io.rowqueue.engine.wakeup.Arrivals;
import io.rowqueue.engine.wakeup.WakeUps;

/**
 * Makes scheduled jobs claimable when they are due, follow-ups when the job before them
 * has ended, and jobs that run after others which ended unnoticed; ends batches, and
 * wakes the workers.
 * <p>
 * While an old transaction keeps dead rows, a promotion that began with the oldest
 * scheduled job would walk over all that were promoted since. So each begins where the
 * one before has ended, and a pass over all of them follows now and then: it finds those
 * that were locked, or committed long after they were due.
 */
public final class PromoteTask extends PeriodicTask {

	private static final Duration INTERVAL = Duration.ofMillis(250);

	private static final int JOBS_PER_STATEMENT = 5000;

	private static final int CHANGES_PER_ROLL_UP = 50_000;

	/** If millions of jobs are due at once, other tasks run in between. */
	private static final int STATEMENTS_PER_RUN = 20;

	/** The task of the cluster that looks at all scheduled jobs again. */
	private static final String PASS = "promote_all";

	private static final Duration PASS_EVERY = Duration.ofSeconds(1);

	private final MaintenanceStore store;

	private final WakeUps wakeUps;

	private final Pace passDue = new Pace(PASS_EVERY);

	/**
	 * Creates the task.
	 * @param store promotes
	 * @param wakeUps notified of the jobs
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
		parts.run(() -> release(() -> this.store.settleDependencies(JOBS_PER_STATEMENT)));
		parts.run(() -> release(() -> this.store.continueEnds(JOBS_PER_STATEMENT)));
		parts.run(() -> release(() -> this.store.resumeSignalled(JOBS_PER_STATEMENT)));
		parts.run(() -> release(() -> this.store.rollUpBatches(CHANGES_PER_ROLL_UP)));
		parts.end();
	}

	private void passIfDue() {
		if (this.passDue.nextIfDue() && this.store.take(PASS, PASS_EVERY)) {
			pass();
		}
	}

	private void pass() {
		long begin = System.nanoTime();
		wake(this.store.promoteAll(JOBS_PER_STATEMENT));
		this.store.rest(PASS, Pace.restAfter(Duration.ofNanos(System.nanoTime() - begin)));
	}

	private void promote(IntFunction<List<PromotedJobs>> statement) {
		int jobs = JOBS_PER_STATEMENT;
		for (int i = 0; i < STATEMENTS_PER_RUN && jobs == JOBS_PER_STATEMENT; i++) {
			List<PromotedJobs> promoted = statement.apply(JOBS_PER_STATEMENT);
			wake(promoted);
			jobs = promoted.stream().mapToInt(PromotedJobs::jobs).sum();
		}
	}

	private void release(Supplier<ReleasedJobs> statement) {
		boolean more = true;
		for (int i = 0; i < STATEMENTS_PER_RUN && more; i++) {
			ReleasedJobs released = statement.get();
			this.wakeUps.jobsArrived(released.arrivals());
			more = released.more();
		}
	}

	private void wake(List<PromotedJobs> promoted) {
		this.wakeUps.jobsArrived(Arrivals.of(promoted.stream().map(PromotedJobs::queue).toList()));
	}

}
