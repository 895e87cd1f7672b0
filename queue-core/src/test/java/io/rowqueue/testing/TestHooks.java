package io.rowqueue.testing;

import java.util.List;

import io.rowqueue.engine.attempt.WorkerHooks;
import io.rowqueue.engine.job.JobWindows;
import io.rowqueue.engine.listen.StoreListener;
import io.rowqueue.listen.AttemptScope;
import io.rowqueue.listen.JobInterceptor;
import io.rowqueue.listen.JobListener;
import io.rowqueue.masking.StoredTextMasker;

/** Who takes part in running the jobs of a test, without a masker. */
public final class TestHooks {

	private TestHooks() {
	}

	public static WorkerHooks of(List<JobInterceptor> interceptors, JobListener listener, StoreListener store) {
		return of(List.of(), interceptors, listener, store);
	}

	public static WorkerHooks of(List<AttemptScope> scopes, List<JobInterceptor> interceptors, JobListener listener,
			StoreListener store) {
		return new WorkerHooks(scopes, interceptors, listener, store, StoredTextMasker.NONE, JobWindows.NONE);
	}

}
