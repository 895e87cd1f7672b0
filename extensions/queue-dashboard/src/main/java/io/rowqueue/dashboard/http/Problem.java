package io.rowqueue.dashboard.http;

import java.util.List;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * What is wrong, as RFC 9457 writes it.
 *
 * @param type {@code urn:rowqueue:problem:} and the code
 * @param title the same for all problems of this type
 * @param status the status of the response
 * @param detail what is wrong this time
 * @param needs the level that the caller lacks
 * @param job the job that stands in the way
 * @param errors what is wrong with which parameter
 * @param retryAfter after how many seconds the request may succeed
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Problem(String type, String title, int status, @Nullable String detail, @Nullable String needs,
		@Nullable Long job, @Nullable List<Invalid> errors, @Nullable Integer retryAfter) {

	static final String CONTENT_TYPE = "application/problem+json";

	/** A kind of problem. */
	public enum Kind {

		/** A parameter or the body is wrong. */
		INVALID_REQUEST("invalid-request", "The request is invalid", 400),

		/** The caller's level is too low. */
		NOT_ALLOWED("not-allowed", "You may not do this", 403),

		/** The request may have been sent by another site. */
		CSRF("csrf", "The request does not come from the dashboard", 403),

		/** There is nothing of that name. */
		NOT_FOUND("not-found", "There is no such thing", 404),

		/** The resource does not know the method. */
		METHOD("method-not-allowed", "The resource does not know this method", 405),

		/** Another job has the unique key. */
		KEY_TAKEN("key-taken", "Another job has its unique key", 409),

		/** The job has not failed. */
		NOT_FAILED("not-failed", "The job has not failed", 409),

		/** The job does not wait. */
		NOT_WAITING("not-waiting", "The job does not wait", 409),

		/** The state of what is no job does not allow it. */
		CONFLICT("conflict", "This is not possible now", 409),

		/** It was changed since it was read. */
		CHANGED("changed", "It was changed in the meantime", 409),

		/** The body is too long. */
		TOO_LARGE("too-large", "The request is too large", 413),

		/** Too many requests. */
		BUSY("busy", "Too many requests", 429),

		/** Something failed that should not. */
		FAILED("failed", "The request failed", 500),

		/**
		 * The application runs without the queue, for example because its database is H2.
		 */
		QUEUE_OFF("queue-off", "The queue is off", 503),

		/** The database cannot be reached, or refuses. */
		DATABASE_AWAY("database-away", "The database of the queue cannot be reached", 503),

		/** No connection became free, or a statement took too long. */
		DATABASE_BUSY("database-busy", "The database of the queue is busy", 503);

		private final String code;

		private final String title;

		private final int status;

		Kind(String code, String title, int status) {
			this.code = code;
			this.title = title;
			this.status = status;
		}

		/** The problem with a detail. */
		public ProblemException because(String detail) {
			return new ProblemException(problem(detail, null, null, null, null));
		}

		Problem problem(@Nullable String detail, @Nullable String needs, @Nullable Long job,
				@Nullable List<Invalid> errors, @Nullable Integer retryAfter) {
			return new Problem("urn:rowqueue:problem:" + this.code, this.title, this.status, detail, needs, job, errors,
					retryAfter);
		}

	}

	/**
	 * What is wrong with a parameter.
	 *
	 * @param parameter its name
	 * @param message what is wrong
	 */
	public record Invalid(String parameter, String message) {

	}

	/** A parameter is wrong. */
	public static ProblemException invalid(String parameter, String message) {
		return new ProblemException(Kind.INVALID_REQUEST.problem(parameter + ": " + message, null, null,
				List.of(new Invalid(parameter, message)), null));
	}

	/** The caller's level is too low. */
	public static ProblemException notAllowed(String needs) {
		return new ProblemException(
				Kind.NOT_ALLOWED.problem("This needs the level " + needs + ".", needs, null, null, null));
	}

	/** The database is away or busy. */
	public static ProblemException later(Kind kind, String detail, int seconds) {
		return new ProblemException(kind.problem(detail, null, null, null, seconds));
	}

}
