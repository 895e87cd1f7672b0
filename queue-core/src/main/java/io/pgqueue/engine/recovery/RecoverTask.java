package io.pgqueue.engine.recovery;

import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;

import io.pgqueue.engine.database.WhenDue;
import io.pgqueue.engine.maintenance.Task;
import io.pgqueue.engine.support.Every;
import io.pgqueue.engine.support.Times;
import io.pgqueue.engine.wakeup.WakeUps;
import io.pgqueue.engine.worker.WorkerStore;
import io.pgqueue.engine.worker.WorkerStore.DeadWorker;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes jobs from workers that died. After an outage of the database every heartbeat is
 * old: only a process that has reached the database for a while again judges the others,
 * so that they had the time to come back as well.
 */
public final class RecoverTask implements Task {

	private static final Duration INTERVAL = Duration.ofMillis(500);

	/**
	 * A heartbeat comes every second. This one is late, and a worker that has lost its
	 * connections, but can reach the database, has opened others.
	 */
	private static final Duration GRACE = Duration.ofMillis(1500);

	/**
	 * For so long this process, and the server, must have been there again before anybody
	 * is judged. A worker that lives is heard of within ten seconds by then: the try that
	 * was under way waits 5 s for a connection in vain, since the pool as well pauses for
	 * up to 5 s between two tries to open one, and the next try follows after 5 s. Not
	 * correctness hangs on it, as leases are fenced: a worker that is given up too soon
	 * costs its running jobs an attempt, and those that have no other one fail for good.
	 */
	private static final Duration SETTLED = Duration.ofSeconds(12);

	private static final Duration FORGET_EVERY = Duration.ofMinutes(10);

	private static final Logger logger = LoggerFactory.getLogger(RecoverTask.class);

	private final WorkerStore store;

	private final OrphanedJobs orphans;

	private final LongSupplier nanoTime;

	private final Every forget;

	private long settlingSince;

	/**
	 * Creates the task.
	 * @param store recovers
	 * @param wakeUps told of the jobs
	 * @param maxAttempts how often a job is tried that does not say so itself, and
	 * neither does the worker that died with it
	 */
	public RecoverTask(WorkerStore store, WakeUps wakeUps, int maxAttempts) {
		this(store, wakeUps, maxAttempts, System::nanoTime);
	}

	RecoverTask(WorkerStore store, WakeUps wakeUps, int maxAttempts, LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
		this.forget = new Every(FORGET_EVERY, nanoTime);
		this.settlingSince = nanoTime.getAsLong();
		this.store = store;
		this.orphans = new OrphanedJobs(store, wakeUps, maxAttempts, nanoTime);
	}

	@Override
	public String name() {
		return "recover";
	}

	@Override
	public Duration interval() {
		return INTERVAL;
	}

	/** A promotion of millions of jobs must not keep those of the dead waiting. */
	@Override
	public boolean isUrgent() {
		return true;
	}

	@Override
	public WhenDue due() {
		return WorkerStore.heartbeatLate(GRACE);
	}

	/** Nobody can be late sooner than that of whom the database does not know yet. */
	@Override
	public Duration lookEvery() {
		return GRACE;
	}

	@Override
	public boolean insists() {
		return this.orphans.isDue();
	}

	@Override
	public void databaseWasAway() {
		this.settlingSince = this.nanoTime.getAsLong();
	}

	@Override
	public boolean isReady() {
		return this.nanoTime.getAsLong() - this.settlingSince > SETTLED.toNanos();
	}

	@Override
	public void run() {
		List<DeadWorker> buried = this.store.bury(GRACE, SETTLED);
		buried.forEach(
				(dead) -> logger.warn("Worker {} ({}) is dead: it was last heard of {} ago. Its jobs are recovered",
						dead.id(), dead.name(), Times.readable(dead.silence())));
		this.orphans.recover(!buried.isEmpty());
		if (this.forget.isDue()) {
			this.store.forget();
		}
	}

}
