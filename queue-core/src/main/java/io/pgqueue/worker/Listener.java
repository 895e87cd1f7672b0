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

	private static final Duration PATIENCE = Duration.ofSeconds(10);

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
	void turn() throws SQLException {
		WorkerSession open = current();
		if (open == null) {
			open();
			this.claimer.lookAgain(); // for what nobody could tell us in between
			return;
		}
		try {
			Collection<String> queues = open.await(PATIENCE);
			if (!queues.isEmpty()) {
				this.claimer.jobsArrived(queues);
			}
		}
		catch (SQLException ex) {
			end(false);
			throw ex;
		}
	}

	/** Ends the session, and with it a wait for wake-ups. */
	void close() throws SQLException {
		end(true);
	}

	private synchronized @Nullable WorkerSession current() {
		return this.session;
	}

	private synchronized void open() throws SQLException {
		if (!this.closed) {
			this.session = WorkerSession.open(this.dataSource, this.schema, this.workerId);
		}
	}

	private synchronized void end(boolean forGood) throws SQLException {
		this.closed = this.closed || forGood;
		WorkerSession open = this.session;
		this.session = null;
		if (open != null) {
			open.close();
		}
	}

}
