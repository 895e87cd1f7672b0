package io.rowqueue.engine.attempt;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * Lets the jobs that were running when a process died begin one at a time: if one of them
 * kills this process as well, the others have not begun and are not blamed for it. The
 * next one begins when the call of the one before has ended or has lasted for a few
 * seconds.
 */
final class Probation {

	private static final long LOOK_MILLIS = 100;

	private final long nanos;

	private volatile @Nullable Thread holder;

	private long since;

	Probation(Duration time) {
		this.nanos = time.toNanos();
	}

	/**
	 * Waits until the job may begin in this thread.
	 * @return {@code false} if the job is to stop instead
	 */
	synchronized boolean begin(ActiveJob job) throws InterruptedException {
		while (!isFree()) {
			if (job.isToStop()) {
				return false;
			}
			TimeUnit.MILLISECONDS.timedWait(this, LOOK_MILLIS);
		}
		this.holder = Thread.currentThread();
		this.since = System.nanoTime();
		return true;
	}

	private boolean isFree() {
		return this.holder == null || this.holder == Thread.currentThread()
				|| System.nanoTime() - this.since >= this.nanos;
	}

	/** The call of this thread has ended. */
	void end() {
		if (this.holder == Thread.currentThread()) {
			free();
		}
	}

	private synchronized void free() {
		if (this.holder == Thread.currentThread()) {
			this.holder = null;
			notifyAll();
		}
	}

}
