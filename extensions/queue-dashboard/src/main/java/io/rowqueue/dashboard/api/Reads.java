package io.rowqueue.dashboard.api;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Instant;
import java.util.function.Function;
import java.util.function.Supplier;

import io.rowqueue.autoconfigure.connection.ReadPool;
import io.rowqueue.dashboard.http.Problem;
import io.rowqueue.dashboard.http.ProblemException;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.QueueDisabledException;
import io.rowqueue.engine.support.Causes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

/** Reads what the API shows, over the dashboard's own connections. */
public final class Reads {

	/** The name of the dashboard's sessions. */
	public static final String SESSIONS = "rowqueue-dashboard";

	private static final Logger logger = LoggerFactory.getLogger(Reads.class);

	private static final int RETRY_SECONDS = 5;

	private static final String QUERY_CANCELED = "57014";

	private final ReadPool pool;

	/**
	 * Creates the reads.
	 * @param pool the dashboard's own connections
	 */
	public Reads(ReadPool pool) {
		this.pool = pool;
	}

	/**
	 * Returns the database; statements that are not part of {@link #read} commit alone.
	 */
	public QueueDatabase database() {
		return this.pool.database();
	}

	/**
	 * Reads in one transaction.
	 * @param reading gets the time of the database's clock
	 * @throws ProblemException if the database is away or busy
	 */
	public <T> T read(Function<Instant, T> reading) {
		return guarded(() -> this.pool.read(() -> reading.apply(this.pool.database().now())));
	}

	/**
	 * Reads the time of the database's clock.
	 * @throws ProblemException if the database is away or busy
	 */
	public Instant now() {
		return read(Function.identity());
	}

	/**
	 * Reads in transactions of the reading's own.
	 * @throws ProblemException if the database is away or busy
	 */
	public static <T> T guarded(Supplier<T> reading) {
		try {
			return reading.get();
		}
		catch (DataAccessException | TransactionException | QueueDisabledException ex) {
			throw problem(ex);
		}
	}

	/**
	 * Reads in transactions of the reading's own what may be asked for wrongly.
	 * @throws ProblemException if it is, or the database is away or busy
	 */
	public static <T> T checked(Supplier<T> reading) {
		try {
			return guarded(reading);
		}
		catch (IllegalArgumentException ex) {
			throw Problem.Kind.INVALID_REQUEST.because(String.valueOf(ex.getMessage()));
		}
	}

	/** The database's own words are in the log: they can quote what is hidden. */
	private static ProblemException problem(RuntimeException ex) {
		QueueDisabledException off = Causes.find(ex, QueueDisabledException.class).orElse(null);
		if (off != null) {
			return Problem.Kind.QUEUE_OFF.because(String.valueOf(off.getMessage()));
		}
		SQLException cause = Causes.find(ex, SQLException.class).orElse(null);
		if (cause == null) {
			throw ex;
		}
		logger.warn("The dashboard cannot read the queue's database: {}", cause.getMessage());
		boolean noneFree = cause instanceof SQLTransientConnectionException && cause.getCause() == null;
		return (noneFree || QUERY_CANCELED.equals(cause.getSQLState()))
				? Problem.later(Problem.Kind.DATABASE_BUSY, "Reading took too long, or no connection was free.",
						RETRY_SECONDS)
				: Problem.later(Problem.Kind.DATABASE_AWAY, "The log of the application has the reason.",
						RETRY_SECONDS);
	}

}
