package io.pgqueue.limit;

import java.util.Locale;

/**
 * What a {@link Limit} is for.
 *
 * @since 0.1.0
 */
public enum LimitKind {

	/** The jobs of a queue together. */
	QUEUE,

	/** The jobs of a type together, whatever their queue is. */
	TYPE,

	/**
	 * The jobs of each key of a class by itself: the class of {@code customer:42} is
	 * {@code customer}. A key whose class has no limit lets one job run at a time.
	 */
	KEY;

	/**
	 * What the tables call it.
	 * @return lower case
	 */
	public String label() {
		return name().toLowerCase(Locale.ROOT);
	}

	/**
	 * The kind that the tables call so.
	 * @param label lower case
	 * @return the kind
	 * @throws IllegalArgumentException if there is none
	 */
	public static LimitKind of(String label) {
		return valueOf(label.toUpperCase(Locale.ROOT));
	}

}
