package io.pgqueue.support;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps the values of a tag few: an application that invents a queue for each customer
 * must not fill the memory of its monitoring.
 */
public final class BoundedNames {

	/** Stands for all further ones. */
	public static final String OTHERS = "others";

	private final int most;

	private final Set<String> names = ConcurrentHashMap.newKeySet();

	/**
	 * Creates the names.
	 * @param most how many there are, besides {@value #OTHERS}
	 */
	public BoundedNames(int most) {
		this.most = most;
	}

	/** The name itself, or {@value #OTHERS} if there are too many. */
	public String of(String name) {
		if (this.names.contains(name)) {
			return name;
		}
		synchronized (this) {
			return (this.names.size() < this.most && this.names.add(name)) || this.names.contains(name) ? name : OTHERS;
		}
	}

}
