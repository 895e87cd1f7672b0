package io.rowqueue.migration;

import io.rowqueue.JobQueueException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if the queue cannot work with its database. The message states the problem and
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
	 * Returns the kind of problem.
	 * @return the reason
	 */
	public Reason getReason() {
		return this.reason;
	}

	/**
	 * Returns the first part of the message, which states the problem.
	 * @return complete sentences
	 */
	public String getProblem() {
		return this.problem;
	}

	/**
	 * Returns the second part of the message, which states the remedy.
	 * @return complete sentences
	 */
	public String getRemedy() {
		return this.remedy;
	}

	/** Why the queue cannot work with the database. */
	public enum Reason {

		/** A connection could not be opened. */
		NO_CONNECTION,

		/** The database is not PostgreSQL. */
		NOT_POSTGRESQL,

		/** The version of PostgreSQL is not supported. */
		SERVER_TOO_OLD,

		/** The server or the connection is read-only. */
		READ_ONLY,

		/** A setting of the server, the database or the role does not suit the queue. */
		UNSUITABLE_SETTING,

		/** The role lacks a privilege, or row-level security hides rows from it. */
		MISSING_PRIVILEGE,

		/** The schema does not exist or contains no tables of the queue. */
		SCHEMA_MISSING,

		/** The schema contains objects of others, and sharing it was not configured. */
		SCHEMA_FOREIGN,

		/** The schema has an older version than this library requires. */
		SCHEMA_OLDER,

		/** The schema has a newer version than this library supports. */
		SCHEMA_NEWER,

		/** A table, view or function of the schema is missing, or is something else. */
		SCHEMA_INCOMPLETE,

		/** A sequence would give ids that rows have already. */
		SEQUENCE_BEHIND,

		/** PostgreSQL rejected a statement for another reason. */
		FAILED

	}

}
