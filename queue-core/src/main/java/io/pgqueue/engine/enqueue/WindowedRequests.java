package io.pgqueue.engine.enqueue;

import java.time.Instant;
import java.util.Optional;

import io.pgqueue.JobQueueException;
import io.pgqueue.JobRequest;
import io.pgqueue.engine.window.WindowStore;
import io.pgqueue.window.Window.Opening;
import io.pgqueue.window.WindowStatus;

/**
 * Postpones jobs to the opening of their window.
 */
final class WindowedRequests {

	private final WindowStore windows;

	WindowedRequests(WindowStore windows) {
		this.windows = windows;
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
		Optional<WindowStatus> found;
		try {
			found = this.windows.find(name);
		}
		catch (IllegalArgumentException ex) {
			return request;
		}
		WindowStatus window = found.orElseThrow(
				() -> new JobQueueException("There is no window '" + name + "' for a job of the type '" + request.type()
						+ "': declare it with pgqueue.windows." + name + " or Windows.put, and commit that"));
		Instant due = (request.runAt() != null) ? request.runAt() : this.windows.now().plus(request.delay());
		Opening opening = window.window().opening(due);
		return opening.from().isAfter(due) ? request.runAt(opening.from()) : request;
	}

}
