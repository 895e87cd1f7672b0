package io.rowqueue.engine.admin;

import java.sql.ResultSet;
import java.sql.SQLException;

import io.rowqueue.admin.WorkerResult;
import io.rowqueue.engine.database.QueueDatabase;

/** Writes what administrators want of workers, whose heartbeats read it. */
final class WorkerWishStore {

	/**
	 * Reads whether the worker is in the requested state already, and changes it if it is
	 * not. A null is no state that can be changed.
	 */
	private static final String CHANGE = """
			with living as (
				select id, %s as unchanged from {schema}.worker
				where id = ? and dead_at is null for no key update),
			changed as (
				update {schema}.worker w set %s from living
				where w.id = living.id and not living.unchanged)
			select unchanged from living""";

	private static final String QUIET = CHANGE.formatted("quiet = ?", "quiet = not quiet");

	private static final String SLOTS = CHANGE.formatted("slots ->> ?::text = ?::text",
			"slots = slots || jsonb_build_object(?::text, ?::text)");

	private static final String RESTART = CHANGE.formatted("restart", "restart = true");

	private static final String LOG_STACK = """
			update {schema}.worker w set stack_of = j.id, cancel_requests = w.cancel_requests + 1
			from {schema}.job j where j.id = ? and w.id = j.worker_id and w.dead_at is null""";

	private final QueueDatabase database;

	WorkerWishStore(QueueDatabase database) {
		this.database = database;
	}

	/** Lets a worker claim no more, or again. */
	WorkerResult quiet(long workerId, boolean quiet) {
		return change(QUIET, quiet, workerId);
	}

	/** Sets the number of slots of a queue. */
	WorkerResult slots(long workerId, String queue, int slots) {
		return change(SLOTS, queue, slots, workerId, queue, slots);
	}

	/** Has a worker replaced. */
	WorkerResult restart(long workerId) {
		return change(RESTART, workerId);
	}

	/**
	 * Has a worker write to the log of a job what its handler is doing.
	 * @return whether a living worker holds the job
	 */
	boolean logStack(long jobId) {
		return this.database.update(LOG_STACK, jobId) == 1;
	}

	private WorkerResult change(String statement, Object... parameters) {
		return this.database.first(statement, WorkerWishStore::result, parameters).orElse(WorkerResult.NOT_FOUND);
	}

	private static WorkerResult result(ResultSet row, int index) throws SQLException {
		boolean unchanged = row.getBoolean("unchanged");
		if (row.wasNull()) {
			return WorkerResult.NO_SUCH_SLOTS;
		}
		return unchanged ? WorkerResult.UNCHANGED : WorkerResult.REQUESTED;
	}

}
