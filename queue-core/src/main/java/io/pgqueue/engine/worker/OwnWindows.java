package io.pgqueue.engine.worker;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

import io.pgqueue.engine.support.ErrorText;
import io.pgqueue.engine.support.JobLog;
import io.pgqueue.engine.window.WindowStore;
import io.pgqueue.window.WindowStatus;
import org.slf4j.Logger;
import org.springframework.dao.DataAccessException;

/**
 * Puts jobs off that have a window of their own and whose turn comes while it is closed.
 * No claim has asked for that: it looks at the windows of queues and types alone.
 */
final class OwnWindows {

	private static final Logger logger = JobLog.logger();

	private final WindowStore store;

	private final Judge judge;

	OwnWindows(WindowStore store, Judge judge) {
		this.store = store;
		this.judge = judge;
	}

	/** Begins to look, for jobs that run together. */
	Look look() {
		return new Look();
	}

	/** Asks for each window once. */
	final class Look {

		private Map<String, Optional<WindowStatus>> known = Map.of();

		/** Whether the job can run; if not, what to write down is told. */
		boolean isOpen(ActiveJob job, Consumer<Outcome> instead) {
			String window = job.window();
			if (window == null) {
				return true;
			}
			try {
				Optional<WindowStatus> closed = find(window).filter((status) -> !status.open());
				closed.filter((status) -> job.conclude()).ifPresent((status) -> {
					logger.info("{} is put off until {}: the window '{}' is closed", job, status.openFrom(), window);
					instead.accept(OwnWindows.this.judge.putOff(job, status.openFrom()));
				});
				return closed.isEmpty();
			}
			catch (DataAccessException ex) {
				logger.info("{} goes back to the queue: its window cannot be read: {}", job, ErrorText.summary(ex));
				JobRunner.release(job, instead);
				return false;
			}
		}

		private Optional<WindowStatus> find(String window) {
			if (this.known.isEmpty()) {
				this.known = new HashMap<>();
			}
			return this.known.computeIfAbsent(window, OwnWindows.this.store::find);
		}

	}

}
