package io.rowqueue.engine.listen;

import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import io.rowqueue.EnqueueResult;
import io.rowqueue.JobContext;
import io.rowqueue.JobRequest;
import io.rowqueue.engine.support.IgnoredFailures;
import io.rowqueue.engine.support.ThreadState;
import io.rowqueue.listen.AttemptEnd;
import io.rowqueue.listen.JobListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notifies a listener of the application in a separate thread, in order, on behalf of
 * threads that must not be blocked: those that write outcomes or find due jobs. If the
 * listener is too slow, notifications are finally dropped, which is logged. The thread
 * starts with the first notification, and ends when it has been idle for some time.
 */
public final class ListenerThread implements JobListener {

	private static final int MAX_WAITING_CALLS = 10_000;

	private static final Duration IDLE_TIMEOUT = Duration.ofSeconds(10);

	private static final Logger logger = LoggerFactory.getLogger(ListenerThread.class);

	private final JobListener listener;

	private final ThreadPoolExecutor thread;

	private final IgnoredFailures ignored = new IgnoredFailures(logger);

	private volatile boolean dropping;

	/**
	 * Creates the thread, but does not start it.
	 * @param listener the listener to notify
	 */
	public ListenerThread(JobListener listener) {
		this(listener, MAX_WAITING_CALLS);
	}

	ListenerThread(JobListener listener, int capacity) {
		this.listener = listener;
		this.thread = new ThreadPoolExecutor(1, 1, IDLE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS,
				new LinkedBlockingQueue<>(capacity), (task) -> {
					Thread made = new Thread(task, "rowqueue-events");
					made.setDaemon(true);
					return made;
				}, (task, executor) -> drop());
		this.thread.allowCoreThreadTimeOut(true);
	}

	@Override
	public void enqueued(JobRequest request, EnqueueResult result) {
		submit(() -> this.listener.enqueued(request, result));
	}

	@Override
	public void ended(JobContext job, AttemptEnd end) {
		submit(() -> this.listener.ended(job, end));
	}

	@Override
	public void failed(JobContext job, AttemptEnd end) {
		submit(() -> this.listener.failed(job, end));
	}

	@Override
	public void refused(JobContext job) {
		submit(() -> this.listener.refused(job));
	}

	private void submit(Runnable call) {
		if (this.listener == JobListener.NONE) {
			return;
		}
		try {
			this.thread.execute(() -> run(call));
		}
		catch (Throwable ex) {
			// the thread could not be started, for example
			this.ignored.report(this.listener, ex);
		}
	}

	private void run(Runnable call) {
		this.dropping &= !this.thread.getQueue().isEmpty();
		ThreadState before = ThreadState.current();
		try {
			call.run();
		}
		catch (Throwable ex) {
			this.ignored.report(this.listener, ex);
		}
		finally {
			before.restoreAfter(this.listener);
		}
	}

	private void drop() {
		if (!this.dropping && !this.thread.isShutdown()) {
			this.dropping = true;
			logger.error("The listeners of the application are too slow: {} notifications are waiting, and further ones"
					+ " are dropped until the listeners have caught up", this.thread.getQueue().size());
		}
	}

	/**
	 * Ends the thread after all notifications that are waiting.
	 * @param timeout how long to wait for them at most
	 */
	public void close(Duration timeout) throws InterruptedException {
		this.thread.shutdown();
		if (!this.thread.awaitTermination(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
			logger.warn("The listeners of the application are too slow: {} notifications are dropped",
					this.thread.getQueue().size());
		}
	}

}
