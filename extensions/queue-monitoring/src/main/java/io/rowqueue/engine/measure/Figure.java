package io.rowqueue.engine.measure;

import org.jspecify.annotations.Nullable;

/**
 * A measured number.
 *
 * @param name the name of the figure
 * @param queue the queue, or {@code null} for all
 * @param state the state or kind, or {@code null} for all
 * @param value the number, in seconds if it is a time
 * @param text further information, or {@code null}
 */
public record Figure(String name, @Nullable String queue, @Nullable String state, double value, @Nullable String text) {

	/**
	 * Stands for all queues together that are not shown separately. No queue has this
	 * name: it is that of the slots for all other queues.
	 */
	public static final String OTHER_QUEUES = "*";

	/**
	 * The number of jobs of a queue in a state; the text is {@code null} if all of them
	 * were counted, else {@value #AT_LEAST} or {@value #ESTIMATE}.
	 */
	public static final String JOBS = "jobs";

	/** The text of a number at which counting stopped. */
	public static final String AT_LEAST = "at least";

	/** The text of a number that follows from statistics. */
	public static final String ESTIMATE = "estimate";

	/** The time since the first job of a queue was due; the text is its id. */
	public static final String OLDEST_AGE = "oldest.age";

	/**
	 * The number of jobs of a type in a state, of those that wait, run or have failed;
	 * the text is the type.
	 */
	public static final String JOBS_OF_TYPE = "type.jobs";

	/** The time since the first job of a type was due; the text is the type. */
	public static final String OLDEST_AGE_OF_TYPE = "type.oldest.age";

	/**
	 * The time since the first job was due of a type that no live worker can run; the
	 * state is the type, and the text is the number of its jobs in this queue, at which
	 * counting stops at {@value MeasurementStore#MAX_UNHANDLED_JOBS}.
	 */
	public static final String UNHANDLED = "unhandled";

	/** The number of live workers. */
	public static final String WORKERS = "workers";

	/** The number of dead rows in the table of jobs. */
	public static final String DEAD_ROWS = "dead.rows";

	/** The size of the table of jobs and its indexes, in bytes. */
	public static final String TABLE_BYTES = "table.bytes";

	/**
	 * The size of an index that something is wrong with, in bytes; the state is that of
	 * {@link IndexTrouble}, and the text is its name.
	 */
	public static final String INDEX = "index";

	/**
	 * The age, in transactions, of the oldest transaction that prevents the removal of
	 * dead rows; the text names its session.
	 */
	public static final String HORIZON_AGE = "horizon.age";

	/** The state of overdue jobs. */
	public static final String OVERDUE = "overdue";

	/** The prefix of the names of figures of limits, which have no queue. */
	public static final String LIMIT = "limit.";

	/**
	 * The number of jobs that a limit counts; the queue is the name, and the state is the
	 * kind of the limit.
	 */
	public static final String LIMIT_HELD = "limit.held";

	/** The number of jobs that a limit allows at the same time, likewise. */
	public static final String LIMIT_CONCURRENCY = "limit.concurrency";

	/** The number of jobs that the rate of a limit allows to start now, likewise. */
	public static final String LIMIT_TOKENS = "limit.tokens";

	/** The number of schedules in a state. */
	public static final String SCHEDULES = "schedules";

	/**
	 * The time since the due time of the schedule that is most overdue; the text is its
	 * name.
	 */
	public static final String SCHEDULE_LATE = "schedule.late";

	/** Whether a window is open, 1 or 0; the queue is the name of the window. */
	public static final String WINDOW_OPEN = "window.open";

	/**
	 * The time since a queue or type was paused; the queue is its name, the state is its
	 * kind, and the text is the reason.
	 */
	public static final String PAUSED = "paused";

	/**
	 * The number of queues, types and limit keys that are not claimed; the state is the
	 * cause.
	 */
	public static final String PAUSES = "pauses";

	/** The number of jobs whose handler waits; the state is what it waits for. */
	public static final String WAITS = "waits";

	/** The number of flows in a state. */
	public static final String FLOWS = "flows";

	/** The number of batches in a state. */
	public static final String BATCHES = "batches";

	/** The age of the oldest batch that is closed and has not finished. */
	public static final String BATCH_OLDEST = "batch.oldest";

	/** The number of jobs that wait to be published to a broker. */
	public static final String OUTBOX_JOBS = "outbox.jobs";

	/** The time since the oldest of them was enqueued. */
	public static final String OUTBOX_AGE = "outbox.age";

	/** The number of jobs that wait for the limit of their key. */
	public static final String LIMIT_WAITING = "limit.waiting";

}
