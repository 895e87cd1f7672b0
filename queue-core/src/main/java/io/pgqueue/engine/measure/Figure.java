package io.pgqueue.engine.measure;

import org.jspecify.annotations.Nullable;

/**
 * One number that was measured.
 *
 * @param name what it is
 * @param queue of which queue; {@code null}: of all
 * @param state of which state or kind; {@code null}: of all
 * @param value the number; seconds where it is a time
 * @param text what there is to say about it, or {@code null}
 */
public record Figure(String name, @Nullable String queue, @Nullable String state, double value, @Nullable String text) {

	/** How many jobs of a queue are in a state. */
	public static final String JOBS = "jobs";

	/** How long the first job of a queue has been due; the text is its id. */
	public static final String OLDEST_AGE = "oldest.age";

	/**
	 * How many jobs of a type are in a state, of those that wait, run or have failed; the
	 * text is the type.
	 */
	public static final String JOBS_OF_TYPE = "type.jobs";

	/** How long the first job of a type has been due; the text is the type. */
	public static final String OLDEST_AGE_OF_TYPE = "type.oldest.age";

	/**
	 * How long the first job has been due of a type that no living worker can run; the
	 * state is the type.
	 */
	public static final String UNHANDLED = "unhandled";

	/** How many workers were heard of lately. */
	public static final String WORKERS = "workers";

	/** How many rows of the table of jobs are dead and not yet removed. */
	public static final String DEAD_ROWS = "dead.rows";

	/** How many bytes the table of jobs and its indexes take. */
	public static final String TABLE_BYTES = "table.bytes";

	/**
	 * How many transactions ago somebody began who still keeps dead rows from being
	 * removed; the text names whom.
	 */
	public static final String HORIZON_AGE = "horizon.age";

	/** The state of queued jobs that should have been claimed long ago. */
	public static final String OVERDUE = "overdue";

	/** What the names of figures of limits begin with; such a figure is of no queue. */
	public static final String LIMIT = "limit.";

	/**
	 * How many jobs a limit counts; the name stands for the queue, the kind for the
	 * state.
	 */
	public static final String LIMIT_HELD = "limit.held";

	/** How many jobs a limit lets run at once, likewise. */
	public static final String LIMIT_CONCURRENCY = "limit.concurrency";

	/** How many jobs the rate of a limit lets begin now, likewise. */
	public static final String LIMIT_TOKENS = "limit.tokens";

	/** How many recurring jobs are in a state. */
	public static final String SCHEDULES = "schedules";

	/**
	 * How long ago the recurring job was due that is late for longest; the text is its
	 * name.
	 */
	public static final String SCHEDULE_LATE = "schedule.late";

	/** Whether a window is open, 1 or 0; its name stands for the queue. */
	public static final String WINDOW_OPEN = "window.open";

	/**
	 * For how long a queue or type has been paused by somebody; its name stands for the
	 * queue, the kind for the state, the reason for the text.
	 */
	public static final String PAUSED = "paused";

	/** How many flows are in a state. */
	public static final String FLOWS = "flows";

	/** How many batches are in a state. */
	public static final String BATCHES = "batches";

	/** How long ago the oldest batch was created that is closed and not over. */
	public static final String BATCH_OLDEST = "batch.oldest";

	/** How many jobs wait because of the limit of their key. */
	public static final String LIMIT_WAITING = "limit.waiting";

}
