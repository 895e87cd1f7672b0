package io.pgqueue.engine.listen;

import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import io.pgqueue.EnqueueResult;
import io.pgqueue.JobContext;
import io.pgqueue.JobRequest;
import io.pgqueue.listen.AttemptEnd;
import io.pgqueue.listen.JobListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells a listener of the application in a thread of its own, in order, for threads that
 * the queue cannot do without: those that write the ends of jobs, or find what is due. A
 * listener that blocks holds up nothing but itself; what it cannot keep up with is
 * dropped in the end, and the log says so. The thread begins with the first call and ends
 * when it has been idle for a while.
 */
public final class ListenerThread implements JobListener {

	private static final int CAPACITY = 10_000;

	private static final Duration IDLE = Duration.ofSeconds(10);

	private static final Logger logger = LoggerFactory.getLogger(ListenerThread.class);

	private final JobListener listener;

	private final ThreadPoolExecutor thread;

	private volatile boolean dropping;

	/**
	 * Creates the thread, but does not start it.
	 * @param listener what is told there
	 */
	public ListenerThread(JobListener listener) {
		this(listener, CAPACITY);
	}

	ListenerThread(JobListener listener, int capacity) {
		this.listener = listener;
		this.thread = new ThreadPoolExecutor(1, 1, IDLE.toMillis(), TimeUnit.MILLISECONDS,
				new LinkedBlockingQueue<>(capacity), (task) -> {
					Thread made = new Thread(task, "pgqueue-events");
					made.setDaemon(true);
					return made;
				}, (task, executor) -> drop());
		this.thread.allowCoreThreadTimeOut(true);
	}

	@Override
	public void enqueued(JobRequest request, EnqueueResult result) {
		tell(() -> this.listener.enqueued(request, result));
	}

	@Override
	public void ended(JobContext job, AttemptEnd end) {
		tell(() -> this.listener.ended(job, end));
	}

	@Override
	public void failed(JobContext job, AttemptEnd end) {
		tell(() -> this.listener.failed(job, end));
	}

	@Override
	public void refused(JobContext job) {
		tell(() -> this.listener.refused(job));
	}

	private void tell(Runnable news) {
		if (this.listener == JobListener.NONE) {
			return;
		}
		try {
			this.thread.execute(() -> run(news));
		}
		catch (Throwable ex) { // no more threads, for example: no reason to fail here
			logger.warn("{} cannot be told; the queue goes on without it", this.listener, ex);
		}
	}

	private void run(Runnable news) {
		this.dropping &= !this.thread.getQueue().isEmpty();
		try {
			news.run();
		}
		catch (Throwable ex) {
			logger.warn("{} failed; the queue goes on without it", this.listener, ex);
		}
	}

	private void drop() {
		if (!this.dropping && !this.thread.isShutdown()) {
			this.dropping = true;
			logger.error("The listeners of the application take too long: {} events wait for them, and until they have"
					+ " caught up further ones are dropped", this.thread.getQueue().size());
		}
	}

	/**
	 * Tells no more, and waits until all is told.
	 * @param timeout how long to wait at most
	 */
	public void close(Duration timeout) throws InterruptedException {
		this.thread.shutdown();
		if (!this.thread.awaitTermination(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
			logger.warn("The listeners of the application take too long: {} events are dropped",
					this.thread.getQueue().size());
		}
	}

}
