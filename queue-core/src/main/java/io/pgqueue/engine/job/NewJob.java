package io.pgqueue.engine.job;

import io.pgqueue.JobRequest;
import org.jspecify.annotations.Nullable;

/**
 * A job to store.
 *
 * @param request what was asked for
 * @param payload the request's payload as JSON, or {@code null}
 * @param merge what its policy makes of two payloads; {@code null} for any policy but
 * {@link io.pgqueue.DuplicatePolicy.Merge}
 * @param headers what is kept on the job besides, as JSON, or {@code null}
 */
public record NewJob(JobRequest request, @Nullable String payload, @Nullable PayloadMerge merge,
		@Nullable String headers) {

	/** A job without headers. */
	public NewJob(JobRequest request, @Nullable String payload, @Nullable PayloadMerge merge) {
		this(request, payload, merge, null);
	}

	/** A job whose payload is not merged. */
	public NewJob(JobRequest request, @Nullable String payload) {
		this(request, payload, null);
	}

}
