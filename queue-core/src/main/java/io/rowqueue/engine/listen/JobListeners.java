package io.rowqueue.engine.listen;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

import io.rowqueue.EnqueueResult;
import io.rowqueue.JobContext;
import io.rowqueue.JobRequest;
import io.rowqueue.engine.support.IgnoredFailures;
import io.rowqueue.listen.AttemptEnd;
import io.rowqueue.listen.JobListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Notifies several listeners, and ignores their exceptions. */
public final class JobListeners implements JobListener {

	private static final Logger logger = LoggerFactory.getLogger(JobListeners.class);

	private final List<JobListener> listeners;

	/** Also an Error must not prevent that the outcome of the job is written. */
	private final IgnoredFailures ignored = new IgnoredFailures(logger);

	private JobListeners(List<JobListener> listeners) {
		this.listeners = List.copyOf(listeners);
	}

	/** Returns one listener for all of them. */
	public static JobListener of(List<JobListener> listeners) {
		return listeners.isEmpty() ? JobListener.NONE : new JobListeners(listeners);
	}

	@Override
	public void enqueued(JobRequest request, EnqueueResult result) {
		forEach((listener) -> listener.enqueued(request, result));
	}

	/** Runs for each job, therefore without a lambda; so does {@link #ended}. */
	@Override
	public void started(JobContext job, Duration waited) {
		for (JobListener listener : this.listeners) {
			try {
				listener.started(job, waited);
			}
			catch (Throwable ex) {
				this.ignored.report(listener, ex);
			}
		}
	}

	@Override
	public void ended(JobContext job, AttemptEnd end) {
		for (JobListener listener : this.listeners) {
			try {
				listener.ended(job, end);
			}
			catch (Throwable ex) {
				this.ignored.report(listener, ex);
			}
		}
	}

	@Override
	public void failed(JobContext job, AttemptEnd end) {
		forEach((listener) -> listener.failed(job, end));
	}

	@Override
	public void refused(JobContext job) {
		forEach((listener) -> listener.refused(job));
	}

	private void forEach(Consumer<JobListener> call) {
		for (JobListener listener : this.listeners) {
			try {
				call.accept(listener);
			}
			catch (Throwable ex) {
				this.ignored.report(listener, ex);
			}
		}
	}

}
