package io.pgqueue.admin;

/**
 * Why a job is not running, or that it is. In the order in which they are looked for: the
 * first one that holds is the verdict.
 *
 * @since 0.1.0
 */
public enum Verdict {

	/**
	 * There is no such job: its enqueue was rolled back or is not committed yet, or it
	 * has been over for longer than such jobs are kept.
	 */
	UNKNOWN,

	/** Its handler returned. */
	SUCCEEDED,

	/** It is out of attempts, or failed for good, and waits for somebody to retry it. */
	FAILED,

	/** It was taken back. */
	CANCELLED,

	/**
	 * The worker that holds its lease is dead; another one takes it over within seconds,
	 * if there is one.
	 */
	WORKER_DEAD,

	/**
	 * The worker that holds its lease was not heard of for a while; it is given up when
	 * the lease ends.
	 */
	WORKER_SILENT,

	/** Its handler runs. */
	RUNNING,

	/** A worker holds it and is about to run it. */
	STARTING,

	/** The database takes no writes: it is a standby, or a default makes it read-only. */
	DATABASE_READ_ONLY,

	/** It was enqueued in the future: the clock of the database's server was set back. */
	CLOCK_SET_BACK,

	/** It runs after other jobs, which have not succeeded. */
	WAITS_FOR_JOBS,

	/** It runs after a batch, which is not over. */
	WAITS_FOR_BATCH,

	/** It runs after another job that has its unique key. */
	BEHIND_ITS_KEY,

	/** An attempt failed, and the pause before the next one is not over. */
	RETRY_LATER,

	/** It is not due yet. */
	NOT_DUE,

	/** It is due, but no process has moved it to the jobs that can be claimed. */
	NOT_PROMOTED,

	/** Its queue is paused. */
	QUEUE_PAUSED,

	/** Its type is paused. */
	TYPE_PAUSED,

	/** A window of its queue or type is closed. */
	WINDOW_CLOSED,

	/** No worker lives. */
	NO_WORKER,

	/** Workers live, but none has a handler for its type. */
	NO_WORKER_FOR_TYPE,

	/** Workers have a handler for its type, but none of them works for its queue. */
	NO_WORKER_FOR_QUEUE,

	/** An open transaction has locked its row. */
	LOCKED,

	/**
	 * As many jobs of its queue, its type or its key run in the cluster as may at once.
	 */
	LIMIT_REACHED,
	/** As many jobs of its queue, its type or its key have begun as may in a time. */
	RATE_REACHED,
	/** Every worker that could run it runs as many jobs of its type as it may. */
	TYPE_LIMIT_REACHED,

	/** Other jobs go first. */
	BEHIND_OTHERS,

	/** It is next, but every worker that could run it is busy. */
	WORKERS_FULL,

	/** Nothing is in its way: a worker claims it when it looks next. */
	CLAIMABLE

}
