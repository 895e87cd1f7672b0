package io.pgqueue.autoconfigure;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps the values of a tag few: an application that invents a queue for each customer
 * must not fill the memory of its monitoring.
 */
final class BoundedNames {

	static final String OTHERS = "others";

	private final int most;

	private final Set<String> names = ConcurrentHashMap.newKeySet();

	BoundedNames(int most) {
		this.most = most;
	}

	/** The name itself, or {@value #OTHERS} if there are too many. */
	String of(String name) {
		if (this.names.contains(name)) {
			return name;
		}
		synchronized (this) {
			return (this.names.size() < this.most && this.names.add(name)) || this.names.contains(name) ? name : OTHERS;
		}
	}

}
