package io.rowqueue.engine.lease;

import java.util.List;
import java.util.Set;

import io.rowqueue.engine.support.QueueClass;

/**
 * The result of a sweep over the queued jobs.
 *
 * @param heads every lane with queued jobs, the most urgent first
 * @param mark the mark for empty lanes: a second before the sweep
 * @param limited the queues, classes of queues and types with limits, as returned by
 * {@link #queue} and {@link #type}
 * @param closed those that are paused or whose window is closed
 */
public record Sweep(List<LaneHead> heads, String mark, Set<String> limited, Set<String> closed) {

	/** Returns whether the queue or type of the lane has a limit. */
	public static boolean isLimited(Lane lane, Set<String> limited) {
		return names(limited, lane);
	}

	/** Returns whether the jobs of the lane cannot be claimed. */
	public boolean isClosed(Lane lane) {
		return names(this.closed, lane);
	}

	private static boolean names(Set<String> some, Lane lane) {
		if (some.isEmpty()) {
			return false;
		}
		String queueClass = QueueClass.of(lane.queue());
		return some.contains(queue(lane.queue())) || some.contains(type(lane.type()))
				|| (queueClass != null && some.contains(queue(queueClass)));
	}

	/** Returns the representation of a queue in the sets. */
	public static String queue(String name) {
		return "queue " + name;
	}

	/** Returns the representation of a type in the sets. */
	public static String type(String name) {
		return "type " + name;
	}

}
