package io.rowqueue.engine.support;

import java.sql.SQLException;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.UncategorizedDataAccessException;
import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.transaction.TransactionSystemException;

/**
 * What keeps the queue from its database, by SQLSTATE. All of it ends without our doing.
 */
enum Trouble {

	/** Class 08: no connection; 57P0x: a server that stops or starts. */
	AWAY("The database is not available", Trouble.BACK),

	/** The application closes the queue's pool when it stops. */
	CLOSED("The connections of the queue were closed, as when the application stops", Trouble.BACK),

	/** A demoted primary, or one that was made read-only. */
	READ_ONLY("The database is read-only", Trouble.BACK),

	/** No disk, no memory. */
	FULL("The database has run out of disk space or memory", Trouble.BACK),

	/** The server, the database or the role has as many as it may have. */
	CONNECTIONS("The database has no free connection for the queue", Trouble.BACK),

	/** A session has locked a whole table, or a transaction stays open. */
	LOCKED("The queue waits for a lock that another session holds", "The queue has acquired the lock"),

	/** A statement took too long. */
	SLOW("The database does not respond in time", "The database responds in time again");

	private static final String BACK = "The database is available again";

	private final String beginning;

	private final String end;

	Trouble(String beginning, String end) {
		this.beginning = beginning;
		this.end = end;
	}

	/** What an error says; {@code null}: something else. */
	static @Nullable Trouble of(Throwable error) {
		List<Throwable> causes = Causes.of(error);
		Trouble trouble = null;
		for (Throwable cause : causes) { // the innermost knows best
			if (cause instanceof SQLException sql && sql.getSQLState() != null) {
				Trouble known = of(sql.getSQLState());
				trouble = (known != null) ? known : trouble;
			}
		}
		if (trouble == null && isOfClosedPool(causes)) {
			return CLOSED;
		}
		if (trouble == null && (isUnconnected(error) || isWithoutAnswer(causes) || isClosed(causes))) {
			return AWAY;
		}
		return trouble;
	}

	private static boolean isOfClosedPool(List<Throwable> causes) {
		return causes.stream()
			.anyMatch((cause) -> cause instanceof SQLException
					&& String.valueOf(cause.getMessage()).startsWith("HikariDataSource")
					&& String.valueOf(cause.getMessage()).contains("has been closed"));
	}

	/** Whether there was no connection to begin with. */
	static boolean isUnconnected(Throwable error) {
		return Causes.of(error).stream().anyMatch(CannotGetJdbcConnectionException.class::isInstance);
	}

	/**
	 * Whether a resource failed that is not one of the server's. Spring reports exceeded
	 * limits (class 54) and errors of the server's files (class 58) in the same way, but
	 * there the server has answered, and the next statement may succeed.
	 */
	private static boolean isWithoutAnswer(List<Throwable> causes) {
		return causes.stream().anyMatch(DataAccessResourceFailureException.class::isInstance)
				&& causes.stream().noneMatch(Trouble::isRefusal);
	}

	/**
	 * Whether a pool has refused a connection that it had closed because it was broken.
	 * The driver and the server give each error a SQLSTATE, a pool gives none. Nothing
	 * else is left of a lost commit if the manager rolls back after it, which fails too.
	 */
	private static boolean isClosed(List<Throwable> causes) {
		List<SQLException> errors = causes.stream()
			.filter(SQLException.class::isInstance)
			.map(SQLException.class::cast)
			.toList();
		return !errors.isEmpty() && errors.stream().allMatch((each) -> each.getSQLState() == null)
				&& causes.stream()
					.anyMatch((cause) -> cause instanceof TransactionSystemException
							|| cause instanceof UncategorizedDataAccessException);
	}

	private static boolean isRefusal(Throwable cause) {
		return cause instanceof SQLException sql && sql.getSQLState() != null && (sql.getSQLState().startsWith("53")
				|| sql.getSQLState().startsWith("54") || sql.getSQLState().startsWith("58"));
	}

	private static @Nullable Trouble of(String state) {
		return switch (state) {
			case "25006" -> READ_ONLY;
			case "53100", "53200", "53400" -> FULL;
			case "53300" -> CONNECTIONS;
			case "55P03" -> LOCKED;
			case "57014" -> SLOW;
			default -> (state.startsWith("08") || state.startsWith("57P0")) ? AWAY : null;
		};
	}

	/** Whether nothing at all can be done meanwhile. */
	boolean isTotal() {
		return this != LOCKED && this != SLOW;
	}

	String beginning() {
		return this.beginning;
	}

	String end() {
		return this.end;
	}

}
