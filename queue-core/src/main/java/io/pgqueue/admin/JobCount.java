package io.pgqueue.admin;

/**
 * How many jobs of a queue are in a state.
 *
 * @param queue the queue
 * @param state the label of a {@link io.pgqueue.JobState}, or {@code stuck}: leased by a
 * worker that no longer lives, and not yet recovered
 * @param jobs how many; {@value #MAX_COUNT} stands for as many or more
 */
public record JobCount(String queue, String state, long jobs) {

	/**
	 * Where counting stops: counting ten million rows takes seconds, and nobody needs to
	 * know a backlog that exactly.
	 */
	public static final int MAX_COUNT = 100_000;

}
