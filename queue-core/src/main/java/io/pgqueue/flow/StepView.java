package io.pgqueue.flow;

import java.time.Instant;

import io.pgqueue.JobState;
import org.jspecify.annotations.Nullable;

/**
 * A job of a flow.
 *
 * @param name the name of its step
 * @param jobId its id
 * @param type its type; {@code null}: it is over, and no longer kept
 * @param state where it is in its life
 * @param endedAt when it was over, or {@code null}
 */
public record StepView(String name, long jobId, @Nullable String type, JobState state, @Nullable Instant endedAt) {

}
