package io.pgqueue.engine.listen;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

import io.pgqueue.EnqueueResult;
import io.pgqueue.JobContext;
import io.pgqueue.JobRequest;
import io.pgqueue.listen.AttemptEnd;
import io.pgqueue.listen.JobListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells several listeners, and lets none of them do harm. */
public final class JobListeners implements JobListener {

	private static final Logger logger = LoggerFactory.getLogger(JobListeners.class);

	private final List<JobListener> listeners;

	private JobListeners(List<JobListener> listeners) {
		this.listeners = List.copyOf(listeners);
	}

	/** One listener for all of them. */
	public static JobListener of(List<JobListener> listeners) {
		return listeners.isEmpty() ? JobListener.NONE : new JobListeners(listeners);
	}

	@Override
	public void enqueued(JobRequest request, EnqueueResult result) {
		tell((listener) -> listener.enqueued(request, result));
	}

	@Override
	public void started(JobContext job, Duration waited) {
		tell((listener) -> listener.started(job, waited));
	}

	@Override
	public void ended(JobContext job, AttemptEnd end) {
		tell((listener) -> listener.ended(job, end));
	}

	@Override
	public void failed(JobContext job, AttemptEnd end) {
		tell((listener) -> listener.failed(job, end));
	}

	@Override
	public void refused(JobContext job) {
		tell((listener) -> listener.refused(job));
	}

	private void tell(Consumer<JobListener> news) {
		for (JobListener listener : this.listeners) {
			try {
				news.accept(listener);
			}
			catch (Throwable ex) { // an Error too: what became of the job must not be
									// lost with it
				logger.warn("{} failed; the queue goes on without it", listener, ex);
			}
		}
	}

}
