package io.rowqueue.engine.slot;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

import io.rowqueue.engine.attempt.ActiveJob;
import io.rowqueue.engine.attempt.Judge;
import io.rowqueue.engine.attempt.AttemptOutcome;
import io.rowqueue.engine.support.JobLog;
import io.rowqueue.engine.support.Times;
import org.slf4j.Logger;

/**
 * Interrupts handlers that run for longer than their type may, and goes on without those
 * that do not answer: the attempt fails, and a new thread takes the slot.
 */
public final class Timeouts {

	public static final Duration INTERVAL = Duration.ofSeconds(1);

	/** How long a handler may take to answer the interrupt. */
	static final Duration GRACE = Duration.ofSeconds(10);

	private static final Logger logger = JobLog.logger();

	private final Pools pools;

	private final Judge judge;

	private final Consumer<AttemptOutcome> finished;

	private final SlotListener slots;

	private final Executor background;

	/**
	 * Creates the watch.
	 * @param judge decides the outcome of an attempt that was given up
	 * @param finished takes the outcomes of jobs
	 * @param slots notified of slots that continue without their handler
	 * @param background executes what a retry policy or a listener of the application may
	 * block
	 */
	public Timeouts(Pools pools, Judge judge, Consumer<AttemptOutcome> finished, SlotListener slots,
			Executor background) {
		this.pools = pools;
		this.judge = judge;
		this.finished = finished;
		this.slots = slots;
		this.background = background;
	}

	/** Looks at all jobs that run, and at those for which no thread could be started. */
	public void turn() {
		this.pools.each((pool) -> pool.jobs().running().forEach((job) -> check(pool, job)));
		this.pools.each((pool) -> pool.jobs().startThreads());
	}

	private void check(Pool pool, ActiveJob job) {
		Duration limit = job.options().timeout();
		if (limit == null) {
			return;
		}
		job.timeOut(limit);
		TimeoutException timeout = job.timeout();
		if (timeout != null && job.isOver(limit.plus(GRACE)) && !job.isConcluded()) {
			this.background.execute(() -> giveUp(pool, job, timeout));
		}
	}

	private void giveUp(Pool pool, ActiveJob job, TimeoutException timeout) {
		if (!job.conclude()) {
			return;
		}
		this.judge.judge(job, timeout).ifPresent(this.finished);
		job.together()
			.stream()
			.filter(ActiveJob::conclude)
			.forEach((other) -> this.judge.judge(other, timeout).ifPresent(this.finished));
		if (!pool.abandon(job)) {
			return; // its handler has ended after all, too late for its outcome
		}
		logger.warn(
				"{} has not responded to the interrupt of its timeout for {}; its slot runs other jobs meanwhile."
						+ " Threads of this worker that are held by such handlers: {}",
				job, Times.readable(GRACE), this.pools.all().mapToInt(Pool::abandoned).sum());
		this.slots.slotFreed(pool, job.type());
	}

}
