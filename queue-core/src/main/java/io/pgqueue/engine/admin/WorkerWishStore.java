package io.pgqueue.engine.admin;

import io.pgqueue.engine.database.QueueDatabase;

/** Writes what administrators want of workers, whose heartbeats read it. */
final class WorkerWishStore {

	private static final String QUIET = """
			update {schema}.worker set quiet = ? where id = ? and dead_at is null and quiet <> ?""";

	private static final String SLOTS = """
			update {schema}.worker set slots = slots || jsonb_build_object(?::text, ?::text)
			where id = ? and dead_at is null and slots ->> ?::text is not null""";

	private static final String RESTART = """
			update {schema}.worker set restart = true where id = ? and dead_at is null and not restart""";

	private final QueueDatabase database;

	WorkerWishStore(QueueDatabase database) {
		this.database = database;
	}

	/** Lets a worker claim no more, or again; returns whether that changed anything. */
	boolean quiet(long workerId, boolean quiet) {
		return this.database.update(QUIET, quiet, workerId, quiet) == 1;
	}

	/**
	 * Sets the number of slots of a queue; returns whether the worker lives and has slots
	 * of its own for the queue.
	 */
	boolean slots(long workerId, String queue, int slots) {
		return this.database.update(SLOTS, queue, slots, workerId, queue) == 1;
	}

	/** Has a worker replaced; returns whether it lives and was not to be replaced yet. */
	boolean restart(long workerId) {
		return this.database.update(RESTART, workerId) == 1;
	}

}
