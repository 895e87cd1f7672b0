package io.pgqueue.observation;

import io.pgqueue.support.BoundedNames;

/**
 * Keeps the values of tags few: whoever enqueues chooses queues and types, and each
 * combination of tags is a series that somebody has to store.
 *
 * @since 0.1.0
 */
public final class TagNames {

	private final BoundedNames queues;

	private final BoundedNames types;

	/**
	 * Creates the names.
	 * @param most how many queues and how many types are named; all further ones are
	 * {@value BoundedNames#OTHERS}
	 */
	public TagNames(int most) {
		this.queues = new BoundedNames(most);
		this.types = new BoundedNames(most);
	}

	String queue(String queue) {
		return this.queues.of(queue);
	}

	String type(String type) {
		return this.types.of(type);
	}

}
