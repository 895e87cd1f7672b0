package io.rowqueue.observation;

import java.util.Collection;
import java.util.List;

/**
 * Limits the number of tag values: names of queues and types are chosen by the code that
 * enqueues, and each combination of tags is a time series to be stored. Types with a
 * handler in this process always keep their names.
 *
 * @since 0.1.0
 */
public final class TagNames {

	private final BoundedNames queues;

	private final BoundedNames types;

	/**
	 * Creates the names.
	 * @param max the maximum number of queues and of types that keep their names; all
	 * others are reported as {@value BoundedNames#OTHERS}
	 */
	public TagNames(int max) {
		this(max, List.of());
	}

	/**
	 * Creates the names, some of which are always kept.
	 * @param max the maximum number of other queues and of types that keep their names;
	 * all others are reported as {@value BoundedNames#OTHERS}
	 * @param queues queues that are always kept, such as those of the configuration
	 */
	public TagNames(int max, Collection<String> queues) {
		this.queues = new BoundedNames(max, queues);
		this.types = new BoundedNames(max);
	}

	/**
	 * Keeps the name of a type that has a handler in this process.
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
