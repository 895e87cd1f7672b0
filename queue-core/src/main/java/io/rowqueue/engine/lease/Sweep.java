package io.rowqueue.engine.lease;

import java.util.List;
import java.util.Set;

import io.rowqueue.engine.support.QueueClass;

/**
 * The result of a sweep over the queued jobs.
 *
 * @param heads every lane with queued jobs, the most urgent first
 * @param mark the mark for empty lanes: a second before the sweep
 * @param limited the queues and classes of queues with limits, as returned by
 * {@link #queue}, and the types with limits, such as {@code type mail}
 * @param closed those that are paused or whose window is closed
 */
public record Sweep(List<LaneHead> heads, String mark, Set<String> limited, Set<String> closed) {

	/** Returns whether the jobs of the lane cannot be claimed. */
	public boolean isClosed(Lane lane) {
		return name(this.closed, lane);
	}

	/**
	 * Returns whether one of such sets names the queue, its class or the type of the
	 * lane.
	 */
	public static boolean name(Set<String> some, Lane lane) {
		if (some.isEmpty()) {
			return false;
		}
		String queueClass = QueueClass.of(lane.queue());
		return some.contains(queue(lane.queue())) || some.contains("type " + lane.type())
				|| (queueClass != null && some.contains(queue(queueClass)));
	}

	/** Returns the representation of a queue in the sets. */
	public static String queue(String name) {
		return "queue " + name;
	}

}
