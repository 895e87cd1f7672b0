package io.pgqueue.worker;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;

import javax.sql.DataSource;

import io.pgqueue.schema.SchemaName;
import io.pgqueue.store.WorkerSession;
import org.jspecify.annotations.Nullable;

/** Holds the worker's session and passes on the wake-ups that arrive there. */
final class Listener {

	/** A worker that stops waits for it. */
	private static final Duration PATIENCE = Duration.ofMillis(300);

	private final DataSource dataSource;

	private final SchemaName schema;

	private final long workerId;

	private final Claimer claimer;

	private @Nullable WorkerSession session;

	private boolean closed;

	Listener(DataSource dataSource, SchemaName schema, long workerId, Claimer claimer) {
		this.dataSource = dataSource;
		this.schema = schema;
		this.workerId = workerId;
		this.claimer = claimer;
	}

	/** Opens the session, anew if it broke, or waits for wake-ups. */
	synchronized void turn() throws SQLException {
		if (this.closed) {
			return;
		}
		if (this.session == null) {
			this.session = WorkerSession.open(this.dataSource, this.schema, this.workerId);
			this.claimer.lookAgain(); // for what nobody could tell us in between
			return;
		}
		try {
			Collection<String> queues = this.session.await(PATIENCE);
			if (!queues.isEmpty()) {
				this.claimer.jobsArrived(queues);
			}
		}
		catch (SQLException ex) {
			end();
			throw ex;
		}
	}

	/** Ends the session, as soon as the wait for wake-ups allows. */
	synchronized void close() throws SQLException {
		this.closed = true;
		end();
	}

	private void end() throws SQLException {
		WorkerSession open = this.session;
		this.session = null;
		if (open != null) {
			open.close();
		}
	}

}
