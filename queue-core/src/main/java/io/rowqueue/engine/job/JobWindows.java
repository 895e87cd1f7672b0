package io.rowqueue.engine.job;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import io.rowqueue.JobQueueException;
import io.rowqueue.JobRequest;

/**
 * The windows in which jobs may run. Jobs name them; what they are is known to a part
 * that an application may leave out. A claim needs none of this: the rows that pause
 * queues and types have the times of their windows.
 */
public interface JobWindows {

	/**
	 * Of an application without the part: rejects requests with a window, and cannot tell
	 * when one opens.
	 */
	JobWindows NONE = new JobWindows() {

		@Override
		public UnaryOperator<JobRequest> postponement(Supplier<Instant> clock) {
			return (request) -> {
				if (request.window() != null) {
					throw new JobQueueException("A job of the type '" + request.type() + "' names the window '"
							+ request.window() + "', and rowqueue-windows is not on the class path");
				}
				return request;
			};
		}

		@Override
		public Optional<Instant> closedUntil(String window) {
			throw new IllegalStateException("rowqueue-windows is not on the class path");
		}

		@Override
		public boolean anyStops() {
			return false;
		}

		@Override
		public Collection<Stopped> stopped() {
			return List.of();
		}

	};

	/**
	 * Returns what postpones the jobs of one call to the openings of their windows.
	 * @param clock returns the time of the database
	 */
	UnaryOperator<JobRequest> postponement(Supplier<Instant> clock);

	/**
	 * Returns when a window opens that is closed; empty if it is open or does not exist.
	 * @param window the name of the window
	 */
	Optional<Instant> closedUntil(String window);

	/** Returns whether there are windows that stop running jobs. */
	boolean anyStops();

	/**
	 * Returns the queues, classes of queues and types that are closed by windows that
	 * stop running jobs.
	 */
	Collection<Stopped> stopped();

	/**
	 * A queue, class of queues, type or window whose jobs must not run now.
	 *
	 * @param kind {@code queue}, {@code type} or {@code window}
	 * @param name the name
	 */
	record Stopped(String kind, String name) {

	}

}
