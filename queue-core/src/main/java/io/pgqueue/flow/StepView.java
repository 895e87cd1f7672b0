package io.pgqueue.flow;

import java.time.Instant;

import io.pgqueue.JobState;
import org.jspecify.annotations.Nullable;

/**
 * A job of a flow.
 *
 * @param name the name of its step
 * @param jobId the id of the job
 * @param type the type of the job, or {@code null} if it has finished and is no longer
 * retained
 * @param state the state of the job
 * @param endedAt when the job finished, or {@code null}
 */
public record StepView(String name, long jobId, @Nullable String type, JobState state, @Nullable Instant endedAt) {

}
