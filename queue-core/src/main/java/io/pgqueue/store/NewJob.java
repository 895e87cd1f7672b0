package io.pgqueue.store;

import io.pgqueue.JobRequest;
import org.jspecify.annotations.Nullable;

/**
 * A job to store.
 *
 * @param request what was asked for
 * @param payload the request's payload as JSON, or {@code null}
 */
public record NewJob(JobRequest request, @Nullable String payload) {

}
