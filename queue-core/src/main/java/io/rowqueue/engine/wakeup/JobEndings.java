package io.rowqueue.engine.wakeup;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Notifies the threads of this process that wait for a job when its attempt has ended
 * here. They read the state of the job themselves, so nothing depends on the
 * notification.
 */
public final class JobEndings {

	private final Map<Long, Set<Waiter>> waiters = new ConcurrentHashMap<>();

	/**
	 * The outcome of an attempt is committed. Returns at once.
	 * @param jobId its job
	 */
	public void ended(long jobId) {
		Set<Waiter> waiting = this.waiters.isEmpty() ? null : this.waiters.get(jobId);
		if (waiting != null) {
			waiting.forEach(Waiter::wake);
		}
	}

	/**
	 * Begins to wait for a job.
	 * @param jobId the job
	 * @return the wait, to be closed
	 */
	public Waiter expect(long jobId) {
		Waiter waiter = new Waiter(jobId);
		this.waiters.compute(jobId, (id, others) -> {
			Set<Waiter> waiting = (others != null) ? others : ConcurrentHashMap.newKeySet();
			waiting.add(waiter);
			return waiting;
		});
		return waiter;
	}

	/** Whether no thread waits. */
	boolean isEmpty() {
		return this.waiters.isEmpty();
	}

	/** A caller that waits for a job. */
	public final class Waiter implements AutoCloseable {

		private final long jobId;

		private final Semaphore ended = new Semaphore(0);

		private Waiter(long jobId) {
			this.jobId = jobId;
		}

		private void wake() {
			this.ended.release();
		}

		/**
		 * Waits until an attempt has ended here, also if it did since the last wait.
		 * @param timeout how long at most
		 * @return whether one has ended
		 * @throws InterruptedException if the thread is interrupted
		 */
		public boolean await(Duration timeout) throws InterruptedException {
			boolean woken = this.ended.tryAcquire(timeout.toNanos(), TimeUnit.NANOSECONDS);
			this.ended.drainPermits();
			return woken;
		}

		@Override
		public void close() {
			JobEndings.this.waiters.computeIfPresent(this.jobId, (id, waiting) -> {
				waiting.remove(this);
				return waiting.isEmpty() ? null : waiting;
			});
		}

	}

}
