package io.rowqueue.admin;

/**
 * The number of jobs of a queue in a state.
 *
 * @param queue the queue
 * @param state the label of a {@link io.rowqueue.JobState}, or {@code stuck}: held by a
 * dead worker, and not yet recovered
 * @param jobs the number of jobs; {@value #MAX_COUNT} means this number or more
 */
public record JobCount(String queue, String state, long jobs) {

	/**
	 * The number at which counting stops. Counting ten million rows would take seconds,
	 * and an exact number is of no use for such a backlog.
	 */
	public static final int MAX_COUNT = 100_000;

}
