package io.pgqueue.admin;

import java.util.List;

import io.pgqueue.FailedAttempt;
import io.pgqueue.JobProgress;
import org.jspecify.annotations.Nullable;

/**
 * All that is known of a job, as it was at one moment.
 *
 * @param job the job as in a list
 * @param revision changes with every change of the job
 * @param lastError the latest error with its stack trace, or {@code null}
 * @param payload the payload as it is stored, or {@code null}
 * @param result what its handler returned, as it is stored, or {@code null}
 * @param progress what its handler reported last, or {@code null}
 * @param failures the failed attempts that are kept, the first one first, at most
 * {@value #MAX_ROWS}
 * @param steps the steps that its handler has done, the first one first; not kept when it
 * has finished
 * @param flow the flow that it is a part of, or {@code null}
 * @param batchName the name of its batch, or {@code null}
 * @param after jobs that it waits for, at most {@value #MAX_AFTER}
 * @since 0.1.0
 */
public record JobDetails(JobView job, String revision, @Nullable StoredText lastError, @Nullable StoredText payload,
		@Nullable StoredText result, @Nullable JobProgress progress, List<FailedAttempt> failures,
		List<RecordedStep> steps, @Nullable FlowJob flow, @Nullable String batchName, List<Long> after) {

	/** The most failures that are read. */
	public static final int MAX_ROWS = 200;

	/** The most jobs before it that are read. */
	public static final int MAX_AFTER = 20;

	/** Longer texts are cut. */
	public static final int MAX_TEXT = 256 * 1024;

	/** Copies the lists. */
	public JobDetails {
		failures = List.copyOf(failures);
		steps = List.copyOf(steps);
		after = List.copyOf(after);
	}

	/**
	 * A text as it is stored.
	 *
	 * @param text the text, at most {@value JobDetails#MAX_TEXT} characters of it
	 * @param length how many characters it has
	 */
	public record StoredText(String text, long length) {

		/** Whether there is more of it. */
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
