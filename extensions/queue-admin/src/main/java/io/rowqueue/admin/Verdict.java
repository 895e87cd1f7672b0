package io.rowqueue.admin;

/**
 * The reason why a job is not running, or that it is. The values are checked in this
 * order, and the first one that applies is the verdict.
 *
 * @since 0.1.0
 */
public enum Verdict {

	/**
	 * The job does not exist: its enqueue was rolled back or has not been committed yet,
	 * or it has finished and is no longer retained.
	 */
	UNKNOWN,

	/** Its handler has returned. */
	SUCCEEDED,

	/**
	 * It has failed permanently or has no attempts left, and waits to be retried
	 * manually.
	 */
	FAILED,

	/** It was cancelled. */
	CANCELLED,

	/**
	 * The worker that holds its lease is dead. If there is another worker, it recovers
	 * the job within seconds.
	 */
	WORKER_DEAD,

	/**
	 * The worker that holds its lease has sent no heartbeat for some time. It is declared
	 * dead when the lease expires.
	 */
	WORKER_SILENT,

	/** Its handler is running. */
	RUNNING,

	/** A worker holds it, and has not started it yet. */
	STARTING,

	/** The database is read-only: it is a standby, or read-only by default. */
	DATABASE_READ_ONLY,

	/** It was enqueued in the future: the clock of the database server was set back. */
	CLOCK_SET_BACK,

	/**
	 * It waits for predecessors that have not succeeded, or its handler waits for jobs
	 * that have not ended, see {@code JobContext.awaitJobs}.
	 */
	WAITS_FOR_JOBS,

	/** It waits for a batch that has not finished. */
	WAITS_FOR_BATCH,

	/** It waits for another job that has its unique key. */
	BEHIND_ITS_KEY,

	/** Its handler waits for a signal, see {@code JobContext.awaitSignal}. */
	WAITS_FOR_SIGNAL,

	/** Its handler waits for some time, see {@code JobContext.sleep}. */
	SLEEPS,

	/** An attempt failed, and the delay before its retry has not passed. */
	RETRY_LATER,

	/** It is not due yet. */
	NOT_DUE,

	/** It is due, but has not been moved to the claimable jobs. */
	NOT_PROMOTED,

	/** Its queue is paused. */
	QUEUE_PAUSED,

	/** Its type is paused. */
	TYPE_PAUSED,

	/** Its queue, type or limit key is held for some time. */
	HELD,

	/** The window of its queue or type is closed. */
	WINDOW_CLOSED,

	/** There is no live worker. */
	NO_WORKER,

	/** There are live workers, but none has a handler for its type. */
	NO_WORKER_FOR_TYPE,

	/**
	 * There are workers with a handler for its type, but none of them has slots for its
	 * queue.
	 */
	NO_WORKER_FOR_QUEUE,

	/** An open transaction has locked its row. */
	LOCKED,

	/**
	 * The concurrency limit of its queue, its type or its limit key is exhausted.
	 */
	LIMIT_REACHED,
	/** The rate limit of its queue, its type or its limit key is exhausted. */
	RATE_REACHED,
	/** All workers that can run it run the maximum number of jobs of its type. */
	TYPE_LIMIT_REACHED,

	/** Other jobs are claimed before it. */
	BEHIND_OTHERS,

	/** It is next, but all workers that can run it are busy. */
	WORKERS_FULL,

	/** Nothing prevents it from running: a worker claims it with its next query. */
	CLAIMABLE

}
