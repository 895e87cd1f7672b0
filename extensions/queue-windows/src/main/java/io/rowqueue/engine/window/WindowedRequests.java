package io.rowqueue.engine.window;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

import io.rowqueue.JobQueueException;
import io.rowqueue.JobRequest;
import io.rowqueue.window.Window.Opening;
import io.rowqueue.window.Window;

/**
 * Postpones jobs of one call to the opening of their windows. A window is read at most
 * once a second, since a call may enqueue millions of jobs.
 */
final class WindowedRequests {

	private static final Duration READ_EVERY = Duration.ofSeconds(1);

	private final WindowStore windows;

	private final Supplier<Instant> clock;

	private final Map<String, Window> known = new HashMap<>();

	/** When the known windows were read. */
	private long nanos;

	/**
	 * Creates the postponement for one call.
	 * @param clock returns the time of the database
	 */
	WindowedRequests(WindowStore windows, Supplier<Instant> clock) {
		this.windows = windows;
		this.clock = clock;
	}

	/**
	 * Returns the request to store. For a job that runs after others, the opening is not
	 * known yet: the worker checks the window. So it does if the JDK of this process does
	 * not know the time zone of the window.
	 */
	JobRequest putOff(JobRequest request) {
		String name = request.window();
		if (name == null || !request.predecessors().ids().isEmpty()) {
			return request;
		}
		Window window;
		try {
			window = find(name, request.type());
		}
		catch (IllegalArgumentException ex) {
			return request;
		}
		Instant due = (request.runAt() != null) ? request.runAt() : this.clock.get().plus(request.delay());
		Opening opening = window.opening(due);
		return opening.from().isAfter(due) ? request.runAt(opening.from()) : request;
	}

	private Window find(String name, String type) {
		long now = System.nanoTime();
		if (now - this.nanos > READ_EVERY.toNanos()) {
			this.known.clear();
		}
		if (this.known.isEmpty()) {
			this.nanos = now;
		}
		return this.known.computeIfAbsent(name, (absent) -> this.windows.find(name)
			.orElseThrow(() -> new JobQueueException("There is no window '" + name + "' for a job of the type '" + type
					+ "': declare it with rowqueue.windows." + name + " or Windows.put, and commit that"))
			.window());
	}

}
