package io.pgqueue.engine.handler;

import java.util.function.Consumer;

import io.pgqueue.JobContext;
import org.jspecify.annotations.Nullable;

/**
 * A job that is about to be run together with others.
 *
 * @param payload the payload as JSON, {@code null} if the job has none
 * @param context what is known about the attempt
 * @param fail takes why the attempt of this job alone has failed
 * @since 0.1.0
 */
public record PendingJob(@Nullable String payload, JobContext context, Consumer<Throwable> fail) {

}
