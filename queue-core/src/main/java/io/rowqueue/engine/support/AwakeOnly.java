package io.rowqueue.engine.support;

/**
 * Uses the database in the background while the queue of this process is awake: it is
 * stopped when the queue falls asleep, and started again when it wakes up.
 */
public interface AwakeOnly {

	/** Begins, or continues after a stop. */
	void start();

	/** Ends, and returns when no more statement is under way. */
	void stop();

}
