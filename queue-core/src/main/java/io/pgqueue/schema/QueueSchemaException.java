package io.pgqueue.schema;

import io.pgqueue.JobQueueException;
import org.jspecify.annotations.Nullable;

/**
 * The queue cannot work with this database as it is. The message names what is wrong and
 * the remedy.
 *
 * @since 0.1.0
 */
public class QueueSchemaException extends JobQueueException {

	private final Reason reason;

	private final String problem;

	private final String remedy;

	QueueSchemaException(Reason reason, String problem, String remedy) {
		this(reason, problem, remedy, null);
	}

	QueueSchemaException(Reason reason, String problem, String remedy, @Nullable Throwable cause) {
		super(problem + " " + remedy, cause);
		this.reason = reason;
		this.problem = problem;
		this.remedy = remedy;
	}

	/**
	 * The kind of problem.
	 * @return the reason
	 */
	public Reason getReason() {
		return this.reason;
	}

	/**
	 * The first half of the message: what is wrong.
	 * @return whole sentences
	 */
	public String getProblem() {
		return this.problem;
	}

	/**
	 * The second half of the message: what to do about it.
	 * @return whole sentences
	 */
	public String getRemedy() {
		return this.remedy;
	}

	/** Why the queue cannot work with the database. */
	public enum Reason {

		/** No connection could be opened. */
		NO_CONNECTION,

		/** The database is another product. */
		NOT_POSTGRESQL,

		/** PostgreSQL is older than the oldest supported version. */
		SERVER_TOO_OLD,

		/** The server or the connection takes no writes. */
		READ_ONLY,

		/** The role may not do what it has to do. */
		MISSING_PRIVILEGE,

		/** There is no schema, or it holds no tables of the queue. */
		SCHEMA_MISSING,

		/** The schema holds what is not the queue's, and nobody said to share it. */
		SCHEMA_FOREIGN,

		/** The tables are of an older version than this library needs. */
		SCHEMA_OLDER,

		/** The tables are of a newer version than this library knows. */
		SCHEMA_NEWER,

		/** PostgreSQL refused a statement for another reason. */
		FAILED

	}

}
