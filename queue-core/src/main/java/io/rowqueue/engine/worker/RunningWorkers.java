package io.rowqueue.engine.worker;

import java.util.Optional;

/** The workers of this process. */
public interface RunningWorkers {

	/**
	 * Returns the status of the workers as that of one, without waiting for a start or
	 * stop: the id of the first of them, and the oldest heartbeat.
	 */
	Optional<WorkerStatus> status();

}
