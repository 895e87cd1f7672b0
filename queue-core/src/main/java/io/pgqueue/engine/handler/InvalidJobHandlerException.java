package io.pgqueue.engine.handler;

import io.pgqueue.JobQueueException;
import org.jspecify.annotations.Nullable;

/**
 * A handler cannot be registered or called as it is declared.
 *
 * @since 0.1.0
 */
public class InvalidJobHandlerException extends JobQueueException {

	private final String description;

	private final String action;

	/**
	 * Creates the exception.
	 * @param handler where the handler is found in the application's code
	 * @param reason what is wrong with it, to follow the handler's name in a sentence
	 * @param action what to do about it, a sentence
	 */
	public InvalidJobHandlerException(String handler, String reason, String action) {
		this(handler, reason, action, null);
	}

	/**
	 * Creates the exception.
	 * @param handler where the handler is found in the application's code
	 * @param reason what is wrong with it, to follow the handler's name in a sentence
	 * @param action what to do about it, a sentence
	 * @param cause the error behind it
	 */
	public InvalidJobHandlerException(String handler, String reason, String action, @Nullable Throwable cause) {
		super("Job handler " + handler + " " + reason + ". " + action, cause);
		this.description = "Job handler " + handler + " " + reason + ".";
		this.action = action;
	}

	/**
	 * Which handler is wrong, and what about it.
	 * @return a sentence
	 */
	public String description() {
		return this.description;
	}

	/**
	 * What to do about it.
	 * @return a sentence
	 */
	public String action() {
		return this.action;
	}

}
