package io.rowqueue.admin;

import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

import io.rowqueue.JobState;
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
 * @param addedBy the id of the job that has added it while the flow ran; {@code null}: it
 * was enqueued with the flow
 * @since 0.1.0
 */
public record FlowJobView(String name, long jobId, @Nullable String type, JobState state, @Nullable Instant endedAt,
		List<String> after, @Nullable Long addedBy) {

	/** Copies the names. */
	public FlowJobView {
		after = List.copyOf(after);
	}

	/**
	 * Returns this job with further predecessors.
	 * @param names their names in the flow
	 * @return a changed copy, or this job if there are none
	 */
	public FlowJobView alsoAfter(List<String> names) {
		return names.isEmpty() ? this : new FlowJobView(this.name, this.jobId, this.type, this.state, this.endedAt,
				Stream.concat(this.after.stream(), names.stream()).distinct().toList(), this.addedBy);
	}

}
