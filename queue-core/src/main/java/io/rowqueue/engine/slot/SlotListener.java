package io.rowqueue.engine.slot;

/** Notified of the slots of pools, by the threads that are the slots. */
public interface SlotListener {

	/**
	 * A job has left its slot.
	 * @param type its type
	 */
	void slotFreed(Pool pool, String type);

	/** A slot that was idle has taken a job: one waits less, and it may be the last. */
	void slotTaken(Pool pool);

}
