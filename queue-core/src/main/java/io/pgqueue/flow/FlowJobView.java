package io.pgqueue.flow;

import java.time.Instant;
import java.util.List;

import io.pgqueue.JobState;
import org.jspecify.annotations.Nullable;

/**
 * A job of a flow that was enqueued.
 *
 * @param name its name in the flow
 * @param jobId its id
 * @param type its type; {@code null}: it has ended, and is no longer kept
 * @param state its state
 * @param endedAt when it ended, or {@code null}
 * @param after the names of the jobs of the flow that it runs after, also of those that
 * have ended
 * @since 0.1.0
 */
public record FlowJobView(String name, long jobId, @Nullable String type, JobState state, @Nullable Instant endedAt,
		List<String> after) {

	/** Copies the names. */
	public FlowJobView {
		after = List.copyOf(after);
	}

}
