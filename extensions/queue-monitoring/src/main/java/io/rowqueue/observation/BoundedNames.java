package io.rowqueue.observation;

import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps the values of a tag few: an application that invents a queue for each customer
 * must not fill the memory of its monitoring.
 */
public final class BoundedNames {

	/** Stands for all further ones. */
	public static final String OTHERS = "others";

	private final int max;

	private final Set<String> names = ConcurrentHashMap.newKeySet();

	/**
	 * Creates the names.
	 * @param max how many there are, besides {@value #OTHERS}
	 */
	public BoundedNames(int max) {
		this.max = max;
	}

	/**
	 * Creates the names, some of which have a place before any other.
	 * @param max how many there are, besides those and {@value #OTHERS}
	 * @param known names that no user can invent, such as configured ones
	 */
	public BoundedNames(int max, Collection<String> known) {
		this.names.addAll(known);
		this.max = max + this.names.size();
	}

	/** Gives a name a place, however many there are: one that no user can invent. */
	public void add(String name) {
		if (!this.names.contains(name)) {
			this.names.add(name);
		}
	}

	/** The name itself, or {@value #OTHERS} if there are too many. */
	public String of(String name) {
		if (this.names.contains(name)) {
			return name;
		}
		synchronized (this) {
			return (this.names.size() < this.max && this.names.add(name)) || this.names.contains(name) ? name : OTHERS;
		}
	}

}
