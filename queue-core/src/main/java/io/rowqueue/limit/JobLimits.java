package io.rowqueue.limit;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The administration of the cluster's limits. Each call commits separately; all workers
 * apply a change within about a second.
 *
 * @since 0.1.0
 */
public interface JobLimits {

	/** The highest weight of a fairness key. */
	int MAX_WEIGHT = 100;

	/**
	 * Sets a limit. It takes precedence over {@code rowqueue.limits.…} in the
	 * configuration of all processes, until it is removed.
	 * @param kind what the limit applies to
	 * @param name the queue, the type, the class of keys, or a whole key, whose limit
	 * takes precedence over that of its class
	 * @param limit the limit
	 * @throws IllegalArgumentException if the name is not allowed, or the limit is
	 * ordered and does not apply to keys
	 */
	void set(LimitKind kind, String name, Limit limit);

	/**
	 * Stores a limit of the configuration, unless a limit was set with {@link #set}.
	 * @param kind what the limit applies to
	 * @param name the queue, the type, the class of keys, or a whole key, whose limit
	 * takes precedence over that of its class
	 * @param limit the limit
	 * @throws IllegalArgumentException as for {@link #set}
	 */
	void configure(LimitKind kind, String name, Limit limit);

	/**
	 * Removes a limit that was set or configured. A configured limit is stored again when
	 * a process that configures it starts.
	 * @param kind what the limit applies to
	 * @param name the queue, the type, the class of keys, or a whole key, whose limit
	 * takes precedence over that of its class
	 * @return whether the limit existed
	 */
	boolean remove(LimitKind kind, String name);

	/**
	 * Holds a queue, a type or a limit key for some time: no worker of the cluster claims
	 * its jobs, for example because a system that they call has asked for a pause. Jobs
	 * that a worker has claimed already still run. A hold that ends later is kept. A
	 * handler holds with {@link io.rowqueue.SnoozeJobException#holding}.
	 * @param kind what is held
	 * @param name the queue, the type, or the limit key, such as {@code customer:42}
	 * @param time how long it is held, by the database's clock
	 * @param reason the reason, for other administrators, or {@code null}
	 * @throws IllegalArgumentException if the time is not positive or longer than
	 * {@link io.rowqueue.JobRequest#MAX_DELAY}, or the name is that of a fairness key
	 */
	void hold(LimitKind kind, String name, Duration time, @Nullable String reason);

	/**
	 * Ends a hold.
	 * @param kind what is held
	 * @param name the queue, the type, or the limit key
	 * @return whether it was held
	 */
	boolean release(LimitKind kind, String name);

	/**
	 * Lists what is held.
	 * @return the holds, ordered by kind and name
	 */
	List<Hold> holds();

	/**
	 * Sets the weight of a fairness key, see {@code JobRequest.fairnessKey}: its share of
	 * the workers, compared with the other keys that have jobs, all of which have a
	 * weight of 1 by default. Applies to jobs that become due later.
	 * @param fairnessKey the key
	 * @param weight from 1 to {@value #MAX_WEIGHT}
	 */
	void setWeight(String fairnessKey, int weight);

	/**
	 * Returns the fairness keys that have a weight other than 1.
	 * @return the weights, ordered by key
	 */
	Map<String, Integer> weights();

	/**
	 * Lists all limits and their current use.
	 * @return the limits, ordered by kind and name
	 */
	List<LimitView> list();

}
