package io.rowqueue.engine.slot;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

import io.rowqueue.engine.attempt.ActiveJob;
import org.jspecify.annotations.Nullable;

/**
 * The jobs that a pool holds: those that wait for a slot, the most urgent first, and
 * those that run. One lock covers both, so that what is held is always known exactly; a
 * slot takes it once for each job. How many there are can be read without it.
 * <p>
 * A slot has a thread while it has jobs: a thread is started for a job that waits if no
 * other one is idle, and it ends when it has been idle for a minute.
 */
public final class LocalQueue {

	private static final Duration MAX_IDLE = Duration.ofMinutes(1);

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private final Condition idle = this.lock.newCondition();

	private final SlotShare share;

	private final WaitingJobs waiting = new WaitingJobs();

	private final RunningJobs running = new RunningJobs();

	private final Places places = new Places();

	private final BooleanSupplier newThread;

	private final long maxIdleNanos;

	private volatile int idleSlots;

	/** How many slots have no thread. */
	private volatile int withoutThread;

	/** How many threads have been started and have not asked for a job yet. */
	private volatile int starting;

	/** How many threads must end, because fewer jobs may run at once than before. */
	private int surplus;

	private boolean closed;

	/**
	 * Creates the queue.
	 * @param share the slots that its jobs may use
	 * @param newThread starts the thread of a slot, or returns false if it cannot
	 */
	LocalQueue(SlotShare share, BooleanSupplier newThread) {
		this(share, newThread, MAX_IDLE);
	}

	LocalQueue(SlotShare share, BooleanSupplier newThread, Duration maxIdle) {
		this.share = share;
		this.newThread = newThread;
		this.maxIdleNanos = maxIdle.toNanos();
	}

	/**
	 * Adds jobs to wait; returns false, and takes none, if the queue is closed.
	 * @param jobs the jobs, the most urgent first
	 */
	public boolean add(List<ActiveJob> jobs) {
		this.lock.lock();
		try {
			if (this.closed) {
				return false;
			}
			this.waiting.add(jobs);
			count();
			for (int slot = Math.min(this.idleSlots, jobs.size()); slot > 0; slot--) {
				this.changed.signal();
			}
			startThreads();
			return true;
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Starts threads for the jobs that wait if there are slots without a thread. */
	@SuppressWarnings("NonAtomicVolatileUpdate") // with the lock
	void startThreads() {
		if (this.withoutThread == 0) {
			return;
		}
		this.lock.lock();
		try {
			while (!this.closed && this.withoutThread > 0 && this.waiting.size() > this.idleSlots + this.starting
					&& this.newThread.getAsBoolean()) {
				this.withoutThread--;
				this.starting++;
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/** The thread of a slot has begun, and will ask for a job next. */
	@SuppressWarnings("NonAtomicVolatileUpdate") // with the lock
	void threadBegins() {
		locked(() -> this.starting--);
	}

	/**
	 * Adds a job if fewer than {@code target} jobs are held, those included for which
	 * places are reserved.
	 */
	boolean addIfRoom(ActiveJob job, int target) {
		return locked(() -> this.places.free(target) > 0 && add(List.of(job)));
	}

	/** Waits for the next job to run; returns {@code null} if the thread must end. */
	@SuppressWarnings("NonAtomicVolatileUpdate") // with the lock
	public @Nullable ActiveJob next() {
		this.lock.lock();
		try {
			long end = System.nanoTime() + this.maxIdleNanos;
			ActiveJob job = start();
			while (job == null && !this.closed && this.surplus == 0 && end - System.nanoTime() > 0) {
				this.idleSlots++;
				try {
					this.changed.awaitNanos(end - System.nanoTime());
				}
				catch (InterruptedException ex) {
					// it was meant for the last job of the thread
				}
				finally {
					this.idleSlots--;
				}
				job = start();
			}
			if (job == null) {
				threadEnds();
			}
			return job;
		}
		finally {
			this.lock.unlock();
		}
	}

	@SuppressWarnings("NonAtomicVolatileUpdate") // with the lock
	private void threadEnds() {
		if (this.surplus > 0) {
			this.surplus--;
		}
		else {
			this.withoutThread++;
		}
	}

	/**
	 * Ends a job and returns the next one. Returns {@code null} if no job waits, or if
	 * another thread has taken the slot in the meantime.
	 */
	@Nullable ActiveJob nextAfter(ActiveJob done) {
		this.lock.lock();
		try {
			return end(done) ? start() : null;
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Ends a job. */
	public void done(ActiveJob job) {
		locked(() -> {
			boolean ended = end(job);
			count();
			return ended;
		});
	}

	/** The thread of a job loses its slot. Returns false if the job has ended. */
	boolean abandon(ActiveJob job) {
		return locked(() -> {
			boolean runs = end(job);
			if (runs) {
				job.abandon();
				threadEnds();
				count();
			}
			return runs;
		});
	}

	@Nullable ActiveJob start() {
		boolean may = !this.waiting.isEmpty() && this.surplus == 0 && this.share.take();
		try {
			return may ? this.running.addFirst(this.waiting) : null;
		}
		catch (Throwable ex) { // no memory, for example
			this.share.release();
			throw ex;
		}
		finally {
			count();
		}
	}

	private boolean end(ActiveJob job) {
		if (!this.running.remove(job)) {
			return false;
		}
		this.share.release();
		if (this.running.isEmpty()) {
			this.idle.signalAll();
		}
		return true;
	}

	private void count() {
		this.places.hold(this.waiting.size(), this.running.slots());
	}

	/** Removes and returns the jobs that have not started. */
	public List<ActiveJob> drain() {
		return drain((job) -> true);
	}

	/** Removes and returns those of the jobs that have not started. */
	List<ActiveJob> drain(Predicate<ActiveJob> which) {
		return (this.places.waiting() == 0) ? List.of() : locked(() -> removeWaiting(which));
	}

	private List<ActiveJob> removeWaiting(Predicate<ActiveJob> which) {
		List<ActiveJob> unstarted = this.waiting.remove(which);
		count();
		return unstarted;
	}

	/** Wakes all threads, because waiting jobs may use more slots than before. */
	public void wake() {
		resize(0);
	}

	/**
	 * Changes how many jobs may run at once. A thread that is not needed any more ends
	 * when its job has ended.
	 * @param difference how many more; negative: how many fewer
	 */
	void resize(int difference) {
		locked(() -> {
			int slots = this.withoutThread - this.surplus + difference;
			this.withoutThread = Math.max(0, slots);
			this.surplus = Math.max(0, -slots);
			this.changed.signalAll();
			startThreads();
			return slots;
		});
	}

	/** Takes no more jobs, and returns those that have not started. */
	public List<ActiveJob> close() {
		return locked(() -> {
			this.closed = true;
			this.changed.signalAll();
			return removeWaiting((job) -> true);
		});
	}

	/** Waits until no job runs; returns false if jobs still run after that time. */
	boolean awaitIdle(Duration timeout) throws InterruptedException {
		this.lock.lock();
		try {
			long nanos = timeout.toNanos();
			while (!this.running.isEmpty() && nanos > 0) {
				nanos = this.idle.awaitNanos(nanos);
			}
			return this.running.isEmpty();
		}
		finally {
			this.lock.unlock();
		}
	}

	/** The jobs that run now. */
	public List<ActiveJob> running() {
		return locked(this.running::list);
	}

	/** The jobs that wait or run. */
	public List<ActiveJob> held() {
		return locked(() -> {
			List<ActiveJob> jobs = this.waiting.list();
			jobs.addAll(this.running.list());
			return jobs;
		});
	}

	/** How many slots wait for a job; never waits itself. */
	public int idleSlots() {
		return this.withoutThread + this.starting + this.idleSlots - this.places.waiting();
	}

	/** How many jobs wait; never waits itself. */
	public int waitingCount() {
		return this.places.waiting();
	}

	/** How many jobs wait or run; never waits itself. */
	public int heldCount() {
		return this.places.held();
	}

	/**
	 * Reserves places for the jobs that a claim may bring, while fewer than
	 * {@code target} are held; returns how many.
	 */
	int reserve(int maxJobs, int target) {
		return locked(() -> this.places.reserve(maxJobs, target));
	}

	/** Reserves places that are taken over from another reservation. */
	public void reservePlaces(int places) {
		locked(() -> {
			this.places.add(places);
			return places;
		});
	}

	/** Releases reserved places. */
	public void releasePlaces(int places) {
		reservePlaces(-places);
	}

	/** How many jobs it holds or has reserved a place for; never waits itself. */
	public int demandedSlots() {
		return heldCount() + this.places.reserved();
	}

	/** Returns the places of its jobs, to read only. */
	Places places() {
		return this.places;
	}

	/** How many jobs to claim; never waits itself. */
	public int room(int target) {
		return this.places.room(target);
	}

	private <T> T locked(Supplier<T> action) {
		this.lock.lock();
		try {
			return action.get();
		}
		finally {
			this.lock.unlock();
		}
	}

}
