package io.rowqueue.admin;

import java.util.regex.Pattern;

import org.springframework.util.Assert;

/**
 * How many jobs of a queue a worker is to run at once.
 *
 * @param queue the name of a queue that has slots of its own in the worker, or
 * {@value #OTHERS} for the slots of all other queues
 * @param number the number of jobs
 * @since 0.1.0
 * @see JobAdmin#changeSlots(long, String, int)
 */
public record WorkerSlots(String queue, int number) {

	/** Stands for all queues without slots of their own. */
	public static final String OTHERS = "*";

	private static final Pattern NUMBER = Pattern.compile("[1-9][0-9]{0,5}");

	/**
	 * Reads slots as they are written in a command or request.
	 * @param text the slots, such as {@code mail=5}; {@code 5}: of all queues without
	 * slots of their own
	 * @return the slots
	 * @throws IllegalArgumentException if the text is no such number
	 */
	public static WorkerSlots parse(String text) {
		int end = text.lastIndexOf('=');
		String queue = (end < 0) ? OTHERS : text.substring(0, end).trim();
		String number = text.substring(end + 1).trim();
		Assert.isTrue(
				!queue.isEmpty() && NUMBER.matcher(number).matches() && Integer.parseInt(number) <= JobAdmin.MAX_SLOTS,
				() -> "slots must be a number from 1 to " + JobAdmin.MAX_SLOTS
						+ ", such as 20, or mail=5 for a queue that has slots of its own");
		return new WorkerSlots(queue, Integer.parseInt(number));
	}

}
