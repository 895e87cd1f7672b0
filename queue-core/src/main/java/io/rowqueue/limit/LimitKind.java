package io.rowqueue.limit;

import java.util.Locale;

/**
 * What a {@link Limit} applies to.
 *
 * @since 0.1.0
 */
public enum LimitKind {

	/** All jobs of a queue together. */
	QUEUE,

	/** All jobs of a type together, in all queues. */
	TYPE,

	/**
	 * The jobs of each key of a class separately. The class of {@code customer:42} is
	 * {@code customer}. A limit with the name of a whole key applies to this key instead
	 * of that of its class. For a key whose class has no limit, one job runs at a time.
	 */
	KEY;

	/**
	 * Returns the name of the kind in the database.
	 * @return the lower-case name
	 */
	public String label() {
		return name().toLowerCase(Locale.ROOT);
	}

	/**
	 * Returns the kind with the given label.
	 * @param label a lower-case name
	 * @return the kind
	 * @throws IllegalArgumentException if there is no such kind
	 */
	public static LimitKind of(String label) {
		return valueOf(label.toUpperCase(Locale.ROOT));
	}

}
