package io.rowqueue.admin;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.rowqueue.JobProgress;
import io.rowqueue.step.JobWait;
import io.rowqueue.step.RecordedStep;
import org.jspecify.annotations.Nullable;

/**
 * All data of a job, in one snapshot.
 *
 * @param job the job as in a list
 * @param revision a text that changes with every change of the job
 * @param lastError the latest error with its stack trace, or {@code null}
 * @param payload the stored payload, or {@code null}
 * @param result the stored result of its handler, or {@code null}
 * @param progress the latest progress that its handler reported, or {@code null}
 * @param failures the retained failed attempts, the oldest first, at most
 * {@value #MAX_ROWS}
 * @param steps the recorded steps of its handler, the oldest first; not kept for finished
 * jobs
 * @param waits what its handler waits for or has waited for, and the signals that were
 * sent to it; not kept for finished jobs
 * @param flow the flow that it is a part of, or {@code null}
 * @param batchName the name of its batch, or {@code null}
 * @param after the ids of jobs that it waits for, at most {@value #MAX_AFTER}
 * @param tags the tags of the job, sorted
 * @param headers the headers that its request has set, by name
 * @param expiresAt when it expires if it has not begun, or {@code null}
 * @since 0.1.0
 */
public record JobDetails(JobView job, String revision, @Nullable StoredText lastError, @Nullable StoredText payload,
		@Nullable StoredText result, @Nullable JobProgress progress, List<FailedAttempt> failures,
		List<RecordedStep> steps, List<JobWait> waits, @Nullable FlowJob flow, @Nullable String batchName,
		List<Long> after, List<String> tags, Map<String, String> headers, @Nullable Instant expiresAt) {

	/** The maximum number of failures. */
	public static final int MAX_ROWS = 200;

	/** The maximum number of predecessors. */
	public static final int MAX_AFTER = 20;

	/** The maximum length of a text; longer ones are truncated. */
	public static final int MAX_TEXT = 256 * 1024;

	/** Copies the lists. */
	public JobDetails {
		failures = List.copyOf(failures);
		steps = List.copyOf(steps);
		waits = List.copyOf(waits);
		after = List.copyOf(after);
		tags = List.copyOf(tags);
		headers = Map.copyOf(headers);
	}

	/**
	 * A stored text.
	 *
	 * @param text the text, at most {@value JobDetails#MAX_TEXT} characters of it
	 * @param length the length of the whole text
	 */
	public record StoredText(String text, long length) {

		/** Returns whether the text was truncated. */
		public boolean isTruncated() {
			return this.text.length() < this.length;
		}

	}

	/**
	 * The place of a job in a flow.
	 *
	 * @param flowId the flow
	 * @param flowName the name of the flow
	 * @param name the name of the job in it
	 */
	public record FlowJob(long flowId, String flowName, String name) {

	}

}
