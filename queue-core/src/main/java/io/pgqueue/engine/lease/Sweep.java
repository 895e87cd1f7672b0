package io.pgqueue.engine.lease;

import java.util.List;
import java.util.Set;

/**
 * What a sweep over the queued jobs found.
 *
 * @param heads every lane that has queued jobs, the most urgent first
 * @param mark where a lane begins that was empty: a second before the sweep
 * @param limited the queues and types that have limits, as {@link #queue} and
 * {@link #type} write them
 * @param closed those that are paused or outside of their window
 */
public record Sweep(List<LaneHead> heads, String mark, Set<String> limited, Set<String> closed) {

	/** Whether a queue or type of the lane has a limit. */
	public static boolean isLimited(Lane lane, Set<String> limited) {
		return names(limited, lane);
	}

	/** Whether no job of the lane can be claimed. */
	public boolean isClosed(Lane lane) {
		return names(this.closed, lane);
	}

	private static boolean names(Set<String> some, Lane lane) {
		return !some.isEmpty() && (some.contains(queue(lane.queue())) || some.contains(type(lane.type())));
	}

	/** How a queue stands among what is limited or closed. */
	public static String queue(String name) {
		return "queue " + name;
	}

	/** How a type stands among what is limited or closed. */
	public static String type(String name) {
		return "type " + name;
	}

}
