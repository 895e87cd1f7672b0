package io.rowqueue.engine.worker;

import java.util.Optional;

/** The workers of this process, of one database. */
public interface RunningWorkers {

	/** Starts them, unless their database has not been available yet. */
	void start();

	/** Stops them, when their jobs have ended or the time for that has elapsed. */
	void stop();

	/**
	 * Returns the status of the workers as that of one, without waiting for a start or
	 * stop: the id of the first of them, and the oldest heartbeat.
	 */
	Optional<WorkerStatus> status();

}
