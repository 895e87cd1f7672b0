package io.rowqueue.engine.slot;

/**
 * The slots that a pool may use: all of its own, or a fair share of those of its process
 * where a process serves several shards. {@link #take} and {@link #release} are called
 * under the lock of a pool, {@link #changed} without it.
 */
public interface SlotShare {

	/**
	 * Takes a slot for a job.
	 * @return false if the pool may not use another slot now; its threads are woken when
	 * that may have changed
	 */
	boolean take();

	/** A job has left its slot. */
	void release();

	/** Returns how many jobs of the pool may run at once now. */
	int slots();

	/**
	 * Begins to serve a pool.
	 * @param pool the pool, which knows how many slots it needs
	 */
	default void serve(Pool pool) {
	}

	/** The worker of the pool has ended. */
	default void leave() {
	}

	/** A claim for the pool begins: it needs a slot until the claim has ended. */
	default void claims() {
	}

	/** The claim, if there was one, has ended. */
	default void claimed() {
		changed();
	}

	/** The pool may need fewer slots than before: others may use them. */
	void changed();

	/** More or fewer jobs of the pool may run at once than before. */
	void resize(int slots);

	/** Returns the slots of a pool that shares them with no other. */
	public static SlotShare own(int slots) {
		return new Own(slots);
	}

	/** The slots of a pool that shares them with no other. */
	final class Own implements SlotShare {

		private volatile int slots;

		private Own(int slots) {
			this.slots = slots;
		}

		@Override
		public boolean take() {
			return true; // there are no more threads than slots
		}

		@Override
		public void release() {
			// the thread waits for the next job
		}

		@Override
		public int slots() {
			return this.slots;
		}

		@Override
		public void resize(int slots) {
			this.slots = slots;
		}

		@Override
		public void changed() {
			// no other pool waits
		}

	}

}
