package io.rowqueue.engine.attempt;

import java.util.List;

import io.rowqueue.JobContext;
import io.rowqueue.engine.job.JobWindows;
import io.rowqueue.engine.listen.StoreListener;
import io.rowqueue.listen.AttemptScope;
import io.rowqueue.listen.JobInterceptor.Attempt;
import io.rowqueue.listen.JobInterceptor;
import io.rowqueue.listen.JobListener;
import io.rowqueue.masking.StoredTextMasker;
import org.jspecify.annotations.Nullable;

/**
 * Who takes part in running jobs besides the queue.
 *
 * @param scopes surround each attempt and what follows from its end, the first one
 * outermost
 * @param interceptors surround each attempt within those, the first one outermost
 * @param listener notified of attempts
 * @param store notified of what is stored
 * @param masker masks what handlers report and throw before it is stored
 * @param windows knows when the windows of jobs are closed
 */
public record WorkerHooks(List<AttemptScope> scopes, List<JobInterceptor> interceptors, JobListener listener,
		StoreListener store, StoredTextMasker masker, JobWindows windows) {

	/** No hooks. */
	public static final WorkerHooks NONE = new WorkerHooks(List.of(), List.of(), JobListener.NONE, StoreListener.NONE,
			StoredTextMasker.NONE, JobWindows.NONE);

	/** Copies what could change. */
	public WorkerHooks {
		scopes = List.copyOf(scopes);
		interceptors = List.copyOf(interceptors);
		masker = SafeMasker.of(masker);
	}

	<T> T around(JobContext job, Attempt<T> attempt) throws Exception {
		return around(0, job, attempt);
	}

	private <T> T around(int next, JobContext job, Attempt<T> attempt) throws Exception {
		if (next == this.interceptors.size()) {
			return attempt.run();
		}
		JobInterceptor interceptor = this.interceptors.get(next);
		@Nullable T result = interceptor.run(job, job.headers(), () -> around(next + 1, job, attempt));
		if (result == null) { // the outcome of the job would be unknown
			throw new IllegalStateException(
					interceptor + " returned null: a JobInterceptor returns what its attempt returned");
		}
		return result;
	}

}
