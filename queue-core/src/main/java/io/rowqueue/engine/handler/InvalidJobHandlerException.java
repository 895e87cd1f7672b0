package io.rowqueue.engine.handler;

import io.rowqueue.JobQueueException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if a handler cannot be registered or called.
 *
 * @since 0.1.0
 */
public class InvalidJobHandlerException extends JobQueueException {

	private final String description;

	private final String action;

	/**
	 * Creates the exception.
	 * @param handler the location of the handler in the application's code
	 * @param reason what is wrong with it; continues a sentence that begins with the
	 * handler
	 * @param action the remedy, a sentence
	 */
	public InvalidJobHandlerException(String handler, String reason, String action) {
		this(handler, reason, action, null);
	}

	/**
	 * Creates the exception.
	 * @param handler the location of the handler in the application's code
	 * @param reason what is wrong with it; continues a sentence that begins with the
	 * handler
	 * @param action the remedy, a sentence
	 * @param cause the underlying error
	 */
	public InvalidJobHandlerException(String handler, String reason, String action, @Nullable Throwable cause) {
		super("Job handler " + handler + " " + reason + ". " + action, cause);
		this.description = "Job handler " + handler + " " + reason + ".";
		this.action = action;
	}

	/**
	 * Returns which handler is wrong and why.
	 * @return a sentence
	 */
	public String description() {
		return this.description;
	}

	/**
	 * Returns the remedy.
	 * @return a sentence
	 */
	public String action() {
		return this.action;
	}

}
