package io.rowqueue.engine.slot;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.function.Supplier;

import io.rowqueue.engine.attempt.ActiveJob;
import org.jspecify.annotations.Nullable;

/**
 * The jobs that a pool holds: those that wait for a slot, the most urgent first, and
 * those that run. One lock covers both, so that what is held is always known exactly; a
 * slot takes it once for each job. How many there are can be read without it.
 */
public final class LocalQueue {

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private final Condition idle = this.lock.newCondition();

	private final SlotShare share;

	private final WaitingJobs waiting = new WaitingJobs();

	private final RunningJobs running = new RunningJobs();

	private final Places places = new Places();

	private volatile int idleSlots;

	/** How many threads must end, because fewer jobs may run at once than before. */
	private int surplus;

	private boolean closed;

	/**
	 * Creates the queue.
	 * @param share the slots that its jobs may use
	 */
	LocalQueue(SlotShare share) {
		this.share = share;
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
			return true;
		}
		finally {
			this.lock.unlock();
		}
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
			ActiveJob job = start();
			while (job == null && !this.closed && this.surplus == 0) {
				this.idleSlots++;
				try {
					this.changed.awaitUninterruptibly();
				}
				finally {
					this.idleSlots--;
				}
				job = start();
			}
			if (job == null && this.surplus > 0) {
				this.surplus--;
			}
			return job;
		}
		finally {
			this.lock.unlock();
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

	/** Another thread takes the slot of a job. Returns false if the job has ended. */
	boolean abandon(ActiveJob job) {
		return locked(() -> {
			boolean runs = end(job);
			if (runs) {
				job.abandon();
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
	 * @return how many threads to start
	 */
	int resize(int difference) {
		return locked(() -> {
			int missing = Math.max(0, difference - this.surplus);
			this.surplus += missing - difference;
			this.changed.signalAll();
			return missing;
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
		return this.idleSlots - this.places.waiting();
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
