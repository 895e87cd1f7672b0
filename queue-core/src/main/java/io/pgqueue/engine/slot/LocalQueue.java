package io.pgqueue.engine.slot;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

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

	private Deque<ActiveJob> waiting = new ArrayDeque<>();

	private final Set<ActiveJob> running = new LinkedHashSet<>();

	/** How many of those that run have no slot of their own. */
	private int companions;

	private volatile int waitingCount;

	private volatile int heldCount;

	/** For jobs that claims under way may bring; set by the thread that claims. */
	private volatile int reserved;

	private int idleSlots;

	/** How many of the idle slots are reserved for jobs of open transactions. */
	private int reservedSlots;

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
			if (this.waiting.isEmpty() || jobs.isEmpty()
					|| ActiveJob.MOST_URGENT_FIRST.compare(this.waiting.getLast(), jobs.get(0)) <= 0) {
				this.waiting.addAll(jobs);
			}
			else {
				List<ActiveJob> all = new ArrayList<>(this.waiting);
				all.addAll(jobs);
				all.sort(ActiveJob.MOST_URGENT_FIRST); // merges two sorted runs
				this.waiting = new ArrayDeque<>(all);
			}
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
	 * Reserves an idle slot for a job that is being enqueued. The slot goes on waiting,
	 * and takes any job that is added first.
	 * @return false if no slot is idle, or jobs wait
	 */
	public boolean reserveSlot() {
		if (this.waitingCount > 0) {
			return false;
		}
		this.lock.lock();
		try {
			if (this.closed || !this.waiting.isEmpty() || this.reservedSlots >= this.idleSlots) {
				return false;
			}
			this.reservedSlots++;
			return true;
		}
		finally {
			this.lock.unlock();
		}
	}

	/** The job has arrived, or will not arrive. */
	public void releaseSlot() {
		this.lock.lock();
		try {
			this.reservedSlots--;
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Waits for the next job to run; {@code null}: there will be none. */
	public @Nullable ActiveJob next() {
		this.lock.lock();
		try {
			ActiveJob job = start();
			while (job == null && !this.closed) {
				this.idleSlots++;
				this.changed.awaitUninterruptibly();
				this.idleSlots--;
				job = start();
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
		this.lock.lock();
		try {
			end(job);
			count();
		}
		finally {
			this.lock.unlock();
		}
	}

	/** The job is left to its thread. Returns false if it does not run any more. */
	boolean abandon(ActiveJob job) {
		this.lock.lock();
		try {
			boolean runs = end(job);
			if (runs) {
				job.abandon();
				count();
			}
			return runs;
		}
		finally {
			this.lock.unlock();
		}
	}

	@Nullable ActiveJob start() {
		ActiveJob job = (!this.waiting.isEmpty() && this.share.take()) ? this.waiting.poll() : null;
		if (job != null) {
			this.running.add(job);
			if (job.options().coalescing() != null) {
				gather(job, job.options().coalescing().maxJobs());
			}
		}
		count();
		return job;
	}

	/** Takes along those that run in one call with the job. */
	private void gather(ActiveJob job, int most) {
		List<ActiveJob> together = new ArrayList<>();
		together.add(job);
		for (Iterator<ActiveJob> others = this.waiting.iterator(); others.hasNext() && together.size() < most;) {
			ActiveJob other = others.next();
			if (other.type().equals(job.type())) {
				others.remove();
				together.add(other);
			}
		}
		this.running.addAll(together);
		this.companions += together.size() - 1;
		job.runTogether(List.copyOf(together));
	}

	private boolean end(ActiveJob job) {
		if (!this.running.remove(job)) {
			return false;
		}
		this.share.release();
		if (job.hasCompany()) {
			this.companions -= job.together().size() - 1;
			this.running.removeAll(Set.copyOf(job.together()));
		}
		if (this.running.isEmpty()) {
			this.idle.signalAll();
		}
		return true;
	}

	private void count() {
		this.waitingCount = this.waiting.size();
		this.heldCount = this.waiting.size() + this.running.size() - this.companions;
	}

	/** Jobs that wait may use slots that others have left. */
	void wake() {
		this.lock.lock();
		try {
			this.changed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Takes no more jobs, and returns those that have not started. */
	public List<ActiveJob> close() {
		this.lock.lock();
		try {
			this.closed = true;
			List<ActiveJob> unstarted = new ArrayList<>(this.waiting);
			this.waiting.clear();
			count();
			this.changed.signalAll();
			return unstarted;
		}
		finally {
			this.lock.unlock();
		}
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
		this.lock.lock();
		try {
			return new ArrayList<>(this.running);
		}
		finally {
			this.lock.unlock();
		}
	}

	/** The jobs that wait or run. */
	public List<ActiveJob> held() {
		this.lock.lock();
		try {
			List<ActiveJob> jobs = new ArrayList<>(this.waiting);
			jobs.addAll(this.running);
			return jobs;
		}
		finally {
			this.lock.unlock();
		}
	}

	/** How many jobs wait; never waits itself. */
	public int waitingCount() {
		return this.waitingCount;
	}

	/** How many jobs wait or run; never waits itself. */
	public int heldCount() {
		return this.heldCount;
	}

	/** How many jobs claims under way may bring; never waits itself. */
	int comingCount() {
		return this.reserved;
	}

	/** Reserves places for that many jobs; a negative number releases places. */
	@SuppressWarnings("NonAtomicVolatileUpdate") // only one thread does
	public void reserve(int jobs) {
		this.reserved += jobs;
	}

	/**
	 * How many more jobs would be held with {@code target}, those included for which
	 * places are reserved; 0 while too few are missing to be worth a claim: a claim comes
	 * when no job waits, when half are gone, or when there is room for a whole one.
	 */
	public int room(int target) {
		int coming = this.reserved;
		int room = target - this.heldCount - coming;
		boolean worth = this.waitingCount + coming == 0 || room >= Math.min(target / 2, Pool.MAX_JOBS_PER_CLAIM);
		return worth ? Math.max(0, room) : 0;
	}

}
