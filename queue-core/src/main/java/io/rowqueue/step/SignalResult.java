package io.rowqueue.step;

import io.rowqueue.JobQueue;

/**
 * What {@link JobQueue#signal} did.
 *
 * @since 0.1.0
 */
public enum SignalResult {

	/**
	 * The signal is stored. The job receives it when its handler waits for it: at once,
	 * or later. It has replaced one with this name that the handler could not read, if
	 * there was one: the job receives it with its next attempt.
	 */
	STORED,

	/**
	 * A signal with this name was sent to the job before; it keeps its payload. The call
	 * had no effect.
	 */
	ALREADY_SENT,

	/**
	 * The job has waited for the signal in vain and continued without it. The call had no
	 * effect.
	 */
	TOO_LATE,

	/**
	 * There is no such job: it has finished, is not committed yet, or is held by a
	 * message broker. The call had no effect.
	 */
	NO_SUCH_JOB

}
