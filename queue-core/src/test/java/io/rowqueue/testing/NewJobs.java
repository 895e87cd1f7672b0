package io.rowqueue.testing;

import io.rowqueue.JobRequest;
import io.rowqueue.engine.job.NewJob;
import io.rowqueue.engine.job.NewJob.PayloadMerge;
import org.jspecify.annotations.Nullable;

/** New jobs whose failure has no consequence. */
public final class NewJobs {

	private NewJobs() {
	}

	public static NewJob of(JobRequest request, @Nullable String payload) {
		return of(request, payload, null);
	}

	public static NewJob of(JobRequest request, @Nullable String payload, @Nullable PayloadMerge merge) {
		return of(request, payload, merge, null);
	}

	public static NewJob of(JobRequest request, @Nullable String payload, @Nullable PayloadMerge merge,
			@Nullable String headers) {
		return new NewJob(request, payload, merge, headers, null);
	}

}
