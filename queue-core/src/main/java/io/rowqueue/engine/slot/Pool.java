package io.rowqueue.engine.slot;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Predicate;

import io.rowqueue.engine.attempt.ActiveJob;
import io.rowqueue.engine.attempt.AttemptOutcome;
import io.rowqueue.engine.attempt.JobRunner;
import io.rowqueue.engine.support.ErrorText;
import io.rowqueue.engine.support.JobLog;
import org.slf4j.Logger;

/**
 * The slots that run the jobs of one queue, or of all queues without slots of their own.
 * A slot is a thread while it has jobs; a thread whose handler does not end loses its
 * slot to another thread. {@link Prefetch} decides how many jobs the pool holds beyond
 * those that run.
 */
public final class Pool {

	/**
	 * How many jobs of a pool one claim brings at most: a longer claim would delay the
	 * others.
	 */
	public static final int MAX_JOBS_PER_CLAIM = 500;

	private static final Logger logger = JobLog.logger();

	private final String name;

	private volatile int concurrency;

	private final Prefetch prefetch;

	private final SlotShare share;

	private final LocalQueue jobs;

	private final Demand demand = new Demand();

	private final AtomicInteger abandoned = new AtomicInteger();

	/** Whether the latest thread could not be started. */
	private volatile boolean failing;

	private volatile Runnable newSlot = () -> {
	};

	/** Whether the worker claims no more jobs. */
	private volatile boolean quiet;

	/** Whether a broker has jobs for the pool as well. */
	private volatile boolean shared;

	public Pool(String name, int concurrency, int maxPrefetch, SlotShare share) {
		this.name = name;
		this.concurrency = concurrency;
		this.prefetch = new Prefetch(maxPrefetch);
		this.share = share;
		this.jobs = new LocalQueue(share, this::startThread);
	}

	public String name() {
		return this.name;
	}

	public int concurrency() {
		return this.concurrency;
	}

	public LocalQueue jobs() {
		return this.jobs;
	}

	/**
	 * Lets the slots run jobs.
	 * @param factory makes their threads
	 * @param runner runs the jobs
	 * @param finished takes the outcomes of jobs
	 * @param slots notified of what happens to the slots
	 */
	public void start(ThreadFactory factory, JobRunner runner, Consumer<AttemptOutcome> finished, SlotListener slots) {
		this.newSlot = () -> factory.newThread(new Slot(this, runner, finished, slots)).start();
		this.jobs.resize(this.concurrency);
	}

	/**
	 * Changes how many jobs run at once. Jobs that are running continue, also if they are
	 * more.
	 */
	public void resize(int slots) {
		this.jobs.resize(slots - this.concurrency);
		this.concurrency = slots;
		this.share.resize(slots);
		this.jobs.wake();
		this.share.changed();
	}

	/**
	 * Starts a thread; if that fails, the job waits, and it is tried again each second.
	 */
	private boolean startThread() {
		try {
			this.newSlot.run();
			this.failing = false;
		}
		catch (Throwable ex) { // no more threads, for example; the pool has the job
			if (!this.failing) {
				logger.warn("No thread can be started for a slot of {}; it is tried again each second: {}", this,
						ErrorText.summary(ex));
			}
			this.failing = true;
		}
		return !this.failing;
	}

	/** A job has left its slot; {@code nanos}: how long it has run, or -1. */
	void left(ActiveJob job, long nanos, SlotListener slots) {
		if (nanos >= 0) {
			this.prefetch.learn(job.type(), nanos / (job.isCoalesced() ? job.together().size() : 1));
		}
		slots.slotFreed(this, job.type());
		this.share.changed();
	}

	/**
	 * Gives up a handler that does not end: a new thread takes its slot if a job waits.
	 * Returns false if the handler has ended in the meantime.
	 * @param job a job whose outcome is decided
	 */
	boolean abandon(ActiveJob job) {
		ActiveJob ofThread = job.together().get(0);
		if (!this.jobs.abandon(ofThread)) {
			return false;
		}
		this.abandoned.incrementAndGet();
		this.jobs.startThreads();
		this.share.changed();
		return true;
	}

	/** A handler that was given up has ended. */
	void abandonedHasEnded(ActiveJob job) {
		this.abandoned.decrementAndGet();
		logger.info("The handler of {} has ended after all; its result is discarded", job);
	}

	/** Returns how many threads run handlers that were given up. */
	int abandoned() {
		return this.abandoned.get();
	}

	/** Why the pool may get jobs from a claim. */
	public Demand demand() {
		return this.demand;
	}

	/** How many jobs a claim may bring now. */
	public int room() {
		return this.quiet ? 0 : Math.min(MAX_JOBS_PER_CLAIM, this.jobs.room(target()));
	}

	/**
	 * Reserves places for the jobs that a claim may bring; returns how many.
	 */
	public int reserve(int maxJobs) {
		return this.jobs.reserve(maxJobs, target());
	}

	/** Whether there is a place for a job that is not claimed. */
	public boolean hasPlace() {
		return !this.quiet && this.jobs.places().free(target()) > 0;
	}

	/** Takes a job that was not claimed if there is a place for it. */
	public boolean addIfRoom(ActiveJob job) {
		return !this.quiet && this.jobs.addIfRoom(job, target());
	}

	private int target() {
		int slots = this.share.slots();
		return (slots > 0) ? slots + this.prefetch.jobs(slots) : 0;
	}

	/**
	 * Removes and returns the jobs that have waited for a slot for that long: the jobs
	 * that run take longer than those before. Until shorter ones have ended, the pool
	 * holds no more than it runs.
	 * @param wait how long a job may wait
	 * @param which the jobs that may be released
	 */
	public List<ActiveJob> takeLate(Duration wait, Predicate<ActiveJob> which) {
		this.prefetch.occupied(this.jobs.running()
			.stream()
			.filter((job) -> job.hasSlot() && job.hasBegun() && job.nanosSinceBegin() >= wait.toNanos())
			.count());
		List<ActiveJob> late = this.jobs.drain((job) -> job.isLeased() && job.isHeldFor(wait) && which.test(job));
		if (!late.isEmpty()) {
			this.prefetch.waited(wait);
			this.demand.raise(Demand.Level.ANYWHERE);
		}
		return late;
	}

	/** Whether the worker claims no more jobs. */
	public void quiet(boolean wanted) {
		this.quiet = wanted;
	}

	/** Whether the worker claims no more jobs. */
	boolean isQuiet() {
		return this.quiet;
	}

	/** Whether a broker has more jobs for the pool than there was room for. */
	public void share(boolean more) {
		this.shared = more;
	}

	/** How many jobs a claim may bring now, so that those of a broker get half. */
	int roomToClaim() {
		int room = half(room(), this.shared);
		if (room > 0) {
			this.share.claims();
		}
		return room;
	}

	/** How many jobs of a broker the pool takes now, so that those to claim get half. */
	public int roomToDeliver() {
		return half(room(), this.demand.isThere());
	}

	private static int half(int room, boolean others) {
		return others ? (room + 1) / 2 : room;
	}

	/** Learns how many jobs the pool holds beyond those that run. */
	Prefetch prefetch() {
		return this.prefetch;
	}

	/**
	 * The worker has claimed what it could: others may use slots that it does not need.
	 */
	void claimed() {
		this.share.claimed();
	}

	/** The worker has ended. */
	void leave() {
		this.share.leave();
	}

	/**
	 * Whether the pool holds more jobs than it runs, but should not hold those of this
	 * type: they run for too long, or never did.
	 */
	public boolean isAheadOf(String type) {
		return this.prefetch.jobs(this.concurrency) > 0 && this.prefetch.excludes(type);
	}

	/**
	 * Whether a job runs that keeps its slot for so long that none should wait for it.
	 */
	public boolean isHeldForLong(ActiveJob job) {
		return job.hasBegun()
				&& (job.nanosSinceBegin() >= Prefetch.AHEAD.toNanos() || this.prefetch.excludes(job.type()));
	}

	@Override
	public String toString() {
		return this.name + "=" + this.concurrency;
	}

}
