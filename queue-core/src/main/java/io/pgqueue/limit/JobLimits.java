package io.pgqueue.limit;

import java.util.List;

/**
 * The limits of the cluster. Every call commits on its own; all workers know of it within
 * about a second.
 *
 * @since 0.1.0
 */
public interface JobLimits {

	/**
	 * Sets a limit. From now on it outweighs what {@code pgqueue.limits.…} says in the
	 * configuration of any process, until it is removed.
	 * @param kind what it is for
	 * @param name the queue, the type, or the class of keys
	 * @param limit the limit
	 * @throws IllegalArgumentException if the name is not one, or a limit that is ordered
	 * is not one of keys
	 */
	void set(LimitKind kind, String name, Limit limit);

	/**
	 * Takes a limit from the configuration, unless one was set at run time.
	 * @param kind what it is for
	 * @param name the queue, the type, or the class of keys
	 * @param limit the limit
	 * @throws IllegalArgumentException as {@link #set} does
	 */
	void configure(LimitKind kind, String name, Limit limit);

	/**
	 * Removes a limit, whoever has set it. One that the configuration has comes back when
	 * a process starts with it.
	 * @param kind what it is for
	 * @param name the queue, the type, or the class of keys
	 * @return whether there was one
	 */
	boolean remove(LimitKind kind, String name);

	/**
	 * All limits and how full they are.
	 * @return by kind and name
	 */
	List<LimitView> list();

}
