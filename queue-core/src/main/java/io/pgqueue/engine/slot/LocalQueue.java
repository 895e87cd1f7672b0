package io.pgqueue.engine.slot;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.function.Supplier;

import io.pgqueue.engine.attempt.ActiveJob;
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

	private volatile int waitingCount;

	private volatile int heldCount;

	/** For jobs that claims under way may bring. */
	private volatile int reserved;

	private volatile int idleSlots;

	/** How many threads are to end, as fewer jobs may run at once than before. */
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
		return locked(() -> places(target) > 0 && add(List.of(job)));
	}

	/** Waits for the next job to run; {@code null}: the thread is to end. */
	@SuppressWarnings("NonAtomicVolatileUpdate") // with the lock
	public @Nullable ActiveJob next() {
		this.lock.lock();
		try {
			ActiveJob job = start();
			while (job == null && !this.closed && this.surplus == 0) {
				this.idleSlots++;
				this.changed.awaitUninterruptibly();
				this.idleSlots--;
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
	 * The job runs no more; returns the next one if there is any. Nothing if the job was
	 * left to its thread meanwhile: another thread has the slot.
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

	/** The job runs no more. */
	public void done(ActiveJob job) {
		locked(() -> {
			boolean ended = end(job);
			count();
			return ended;
		});
	}

	/** The job is left to its thread. Returns false if it does not run any more. */
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
		ActiveJob job = may ? this.waiting.poll() : null;
		if (job != null) {
			this.running.add(job, this.waiting);
		}
		count();
		return job;
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
		this.waitingCount = this.waiting.size();
		this.heldCount = this.waiting.size() + this.running.slots();
	}

	/** Removes and returns the jobs that have not started. */
	public List<ActiveJob> drain() {
		return drain((job) -> true);
	}

	/** Removes and returns those of the jobs that have not started. */
	List<ActiveJob> drain(Predicate<ActiveJob> which) {
		return (this.waitingCount == 0) ? List.of() : locked(() -> removeWaiting(which));
	}

	private List<ActiveJob> removeWaiting(Predicate<ActiveJob> which) {
		List<ActiveJob> unstarted = this.waiting.remove(which);
		count();
		return unstarted;
	}

	/** Jobs that wait may use slots that others have left. */
	void wake() {
		resize(0);
	}

	/**
	 * More or fewer jobs may run at once. Threads that are too many end, each with its
	 * job.
	 * @param difference how many more; negative: how many fewer
	 * @return how many threads are missing
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

	/** Waits until nothing runs; returns whether that came true in time. */
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
		return this.idleSlots - this.waitingCount;
	}

	/** How many jobs wait; never waits itself. */
	public int waitingCount() {
		return this.waitingCount;
	}

	/** How many jobs wait or run; never waits itself. */
	public int heldCount() {
		return this.heldCount;
	}

	/**
	 * Reserves places for jobs that a claim may bring.
	 * @param most how many at most
	 * @param target how many jobs are held at most
	 * @return how many places are reserved
	 */
	@SuppressWarnings("NonAtomicVolatileUpdate") // with the lock
	int reserve(int most, int target) {
		return locked(() -> {
			int places = Math.min(most, Math.max(0, places(target)));
			this.reserved += places;
			return places;
		});
	}

	/** Reserves places as they are taken over from another reservation. */
	public void reservePlaces(int places) {
		releasePlaces(-places);
	}

	/** Releases reserved places. */
	@SuppressWarnings("NonAtomicVolatileUpdate") // with the lock
	public void releasePlaces(int places) {
		locked(() -> this.reserved -= places);
	}

	/** How many more jobs may be held; never waits itself. */
	int places(int target) {
		return target - this.heldCount - this.reserved;
	}

	/** How many jobs claims under way may bring; never waits itself. */
	int comingCount() {
		return this.reserved;
	}

	/**
	 * How many more jobs would be held with {@code target}, those included for which
	 * places are reserved; 0 while too few are missing to be worth a claim: a claim comes
	 * when no job waits, when half are gone, or when there is room for a whole one.
	 */
	public int room(int target) {
		int room = places(target);
		boolean worth = this.waitingCount + this.reserved == 0 || room >= Math.min(target / 2, Pool.MAX_JOBS_PER_CLAIM);
		return worth ? Math.max(0, room) : 0;
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
