package io.rowqueue.admin.filter;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The states by which jobs are listed: those of {@link io.rowqueue.JobState}, and three
 * that are parts of them.
 *
 * @since 0.1.0
 */
public enum JobListState {

	/** The job waits for other jobs, for a batch or for the limit of its key. */
	BLOCKED,

	/**
	 * The job is not due yet, or waits for its limit; retrying and waiting jobs included.
	 */
	SCHEDULED,

	/** The job is scheduled after an attempt that failed. */
	RETRYING,

	/**
	 * The job is scheduled because its handler waits for a signal, a time or other jobs.
	 */
	WAITING,

	/** The job is due and waits for a worker. */
	QUEUED,

	/** A live worker holds the job and is about to run it. */
	STARTING,

	/** A live worker runs the job. */
	RUNNING,

	/** A dead worker holds the job. */
	STUCK,

	/** The job failed permanently and is kept until it is retried or deleted. */
	FAILED,

	/** The job has succeeded. */
	SUCCEEDED,

	/** The job was cancelled. */
	CANCELLED;

	/** States of jobs that have finished and are in the history. */
	public static final Set<JobListState> FINISHED = Set.of(SUCCEEDED, CANCELLED);

	/** States that together are those of all jobs that have not finished. */
	public static final Set<JobListState> UNFINISHED = Set.of(BLOCKED, SCHEDULED, QUEUED, STARTING, RUNNING, STUCK,
			FAILED);

	/** States of jobs that a worker holds. */
	public static final Set<JobListState> LEASED = Set.of(STARTING, RUNNING, STUCK);

	/**
	 * Returns the label of the state, as used in filters and responses.
	 * @return a label such as {@code retrying}
	 */
	public String label() {
		return name().toLowerCase(Locale.ROOT);
	}

	/**
	 * Finds a state by its label.
	 * @param label a label such as {@code retrying}
	 * @return the state
	 * @throws IllegalArgumentException if there is no such state
	 */
	public static JobListState of(String label) {
		return Arrays.stream(values())
			.filter((state) -> state.label().equals(label))
			.findFirst()
			.orElseThrow(() -> new IllegalArgumentException("'" + label + "' is not one of the states "
					+ EnumSet.allOf(JobListState.class)
						.stream()
						.map(JobListState::label)
						.collect(Collectors.joining(", "))));
	}

}
