package io.rowqueue.engine.recovery;

import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;

import io.rowqueue.engine.database.WhenDue;
import io.rowqueue.engine.maintenance.Task;
import io.rowqueue.engine.recovery.RecoveryStore.DeadWorker;
import io.rowqueue.engine.support.Pace;
import io.rowqueue.engine.support.Times;
import io.rowqueue.engine.wakeup.WakeUps;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Declares workers dead and has their jobs recovered. After an outage of the database
 * every heartbeat is old: a process declares others dead only when it has reached the
 * database for a while again, so that they had the time to come back as well.
 */
public final class RecoverTask implements Task {

	private static final Duration INTERVAL = Duration.ofMillis(500);

	/**
	 * A heartbeat comes every second. This one is late, and a worker that has lost its
	 * connections, but can reach the database, has opened others.
	 */
	private static final Duration GRACE = Duration.ofMillis(1500);

	/**
	 * How long this process, and the server, must have been back before any worker is
	 * declared dead. The heartbeat of a live worker arrives within ten seconds: the try
	 * that was under way waits 5 s for a connection in vain, since the pool pauses for up
	 * to 5 s as well between two tries to open one, and the next try follows after 5 s.
	 * Correctness does not depend on it, as leases are fenced: if a live worker is
	 * declared dead, its running jobs lose an attempt, and those whose last attempt it
	 * was fail permanently.
	 */
	private static final Duration SETTLED = Duration.ofSeconds(12);

	private static final Duration FORGET_EVERY = Duration.ofMinutes(10);

	private static final Logger logger = LoggerFactory.getLogger(RecoverTask.class);

	private final RecoveryStore store;

	private final JobRecovery jobs;

	private final LongSupplier nanoTime;

	private final Pace forget;

	private long settlingSince;

	/**
	 * Creates the task.
	 * @param store recovers
	 * @param wakeUps notified of the jobs
	 * @param rules what becomes of the jobs
	 */
	public RecoverTask(RecoveryStore store, WakeUps wakeUps, RecoveryRules rules) {
		this(store, wakeUps, rules, System::nanoTime);
	}

	RecoverTask(RecoveryStore store, WakeUps wakeUps, RecoveryRules rules, LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
		this.forget = new Pace(FORGET_EVERY, nanoTime);
		this.settlingSince = nanoTime.getAsLong();
		this.store = store;
		this.jobs = new JobRecovery(store, wakeUps, rules, nanoTime);
	}

	@Override
	public String name() {
		return "recover";
	}

	@Override
	public Duration interval() {
		return INTERVAL;
	}

	/** A promotion of millions of jobs must not delay the jobs of dead workers. */
	@Override
	public boolean isUrgent() {
		return true;
	}

	@Override
	public WhenDue due() {
		return RecoveryStore.heartbeatLate(GRACE);
	}

	/** A worker that registers after this look cannot be late before the next one. */
	@Override
	public Duration lookEvery() {
		return GRACE;
	}

	@Override
	public boolean insists() {
		return this.jobs.isDue();
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
		List<DeadWorker> declaredDead = this.store.declareDead(GRACE, SETTLED);
		declaredDead.forEach(
				(dead) -> logger.warn("Worker {} ({}) is dead: its last heartbeat was {} ago. Its jobs are recovered",
						dead.id(), dead.name(), Times.readable(dead.silence())));
		this.jobs.recover(!declaredDead.isEmpty());
		if (this.forget.nextIfDue()) {
			this.store.forget();
		}
	}

}
