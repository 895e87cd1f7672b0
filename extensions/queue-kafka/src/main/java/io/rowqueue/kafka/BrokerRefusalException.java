package io.rowqueue.kafka;

import io.rowqueue.transport.TransportException;
import org.jspecify.annotations.Nullable;

/**
 * The broker answers, but cannot carry jobs as it is set up: trying again does not help.
 */
public class BrokerRefusalException extends TransportException {

	private static final long serialVersionUID = 1L;

	private final String problem;

	private final String remedy;

	BrokerRefusalException(String problem, String remedy, @Nullable Throwable cause) {
		super(problem + " " + remedy, cause);
		this.problem = problem;
		this.remedy = remedy;
	}

	/**
	 * Returns what is wrong.
	 * @return a sentence
	 */
	public String problem() {
		return this.problem;
	}

	/**
	 * Returns what to do about it.
	 * @return sentences
	 */
	public String remedy() {
		return this.remedy;
	}

}
