package io.rowqueue.engine.handler;

import java.util.function.Consumer;

import io.rowqueue.JobContext;
import org.jspecify.annotations.Nullable;

/**
 * A job that is about to run together with others.
 *
 * @param payload the payload as JSON, or {@code null} if the job has none
 * @param context the context of the attempt
 * @param fail fails the attempt of this job with an error
 * @since 0.1.0
 */
public record PendingJob(@Nullable String payload, JobContext context, Consumer<Throwable> fail) {

}
