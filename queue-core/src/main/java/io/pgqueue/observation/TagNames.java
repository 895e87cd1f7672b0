package io.pgqueue.observation;

import java.util.Collection;
import java.util.List;

import io.pgqueue.engine.support.BoundedNames;

/**
 * Keeps the values of tags few: whoever enqueues chooses queues and types, and each
 * combination of tags is a series that somebody has to store. Types that the process runs
 * always have a place.
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
		this(most, List.of());
	}

	/**
	 * Creates the names, some of which have a place before any other.
	 * @param most how many other queues and how many types are named; all further ones
	 * are {@value BoundedNames#OTHERS}
	 * @param queues queues that nobody can invent, such as configured ones
	 */
	public TagNames(int most, Collection<String> queues) {
		this.queues = new BoundedNames(most, queues);
		this.types = new BoundedNames(most);
	}

	/**
	 * A job of the type is run here: it has a handler, so that nobody has invented it.
	 */
	void isRun(String type) {
		this.types.add(type);
	}

	String queue(String queue) {
		return this.queues.of(queue);
	}

	String type(String type) {
		return this.types.of(type);
	}

}
