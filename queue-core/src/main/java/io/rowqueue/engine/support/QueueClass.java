package io.rowqueue.engine.support;

import org.jspecify.annotations.Nullable;

/**
 * Classes of queues, which are paused, held, limited or given a window as one: the queue
 * {@code closing:ledger} belongs to the class {@code closing:*}. The function
 * {@code queue_class} of the database returns the same.
 */
public final class QueueClass {

	private static final String ALL = ":*";

	private QueueClass() {
	}

	/** Returns whether a name is that of a class. */
	public static boolean is(String name) {
		return name.endsWith(ALL);
	}

	/** Returns the class of a queue, if it belongs to one. */
	public static @Nullable String of(String queue) {
		int end = queue.indexOf(':');
		return (end >= 0) ? queue.substring(0, end) + ALL : null;
	}

	/** Returns whether a name is that of the queue or of its class. */
	public static boolean isNamed(@Nullable String name, @Nullable String queue) {
		return name != null && queue != null && (name.equals(queue) || name.equals(of(queue)));
	}

}
