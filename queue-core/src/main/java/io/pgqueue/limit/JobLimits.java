package io.pgqueue.limit;

import java.util.List;

/**
 * The administration of the cluster's limits. Each call commits separately; all workers
 * apply a change within about a second.
 *
 * @since 0.1.0
 */
public interface JobLimits {

	/**
	 * Sets a limit. It takes precedence over {@code pgqueue.limits.…} in the
	 * configuration of all processes, until it is removed.
	 * @param kind what the limit applies to
	 * @param name the queue, the type, or the class of keys
	 * @param limit the limit
	 * @throws IllegalArgumentException if the name is not allowed, or the limit is
	 * ordered and does not apply to keys
	 */
	void set(LimitKind kind, String name, Limit limit);

	/**
	 * Stores a limit of the configuration, unless a limit was set with {@link #set}.
	 * @param kind what the limit applies to
	 * @param name the queue, the type, or the class of keys
	 * @param limit the limit
	 * @throws IllegalArgumentException as for {@link #set}
	 */
	void configure(LimitKind kind, String name, Limit limit);

	/**
	 * Removes a limit that was set or configured. A configured limit is stored again when
	 * a process that configures it starts.
	 * @param kind what the limit applies to
	 * @param name the queue, the type, or the class of keys
	 * @return whether the limit existed
	 */
	boolean remove(LimitKind kind, String name);

	/**
	 * Lists all limits and their current use.
	 * @return the limits, ordered by kind and name
	 */
	List<LimitView> list();

}
