package io.rowqueue.engine.window;

import java.time.Duration;

import io.rowqueue.engine.maintenance.PeriodicTask;
import io.rowqueue.window.Window.Opening;

/**
 * Moves closed windows to their next opening. This is not urgent before they open: a
 * window that was not moved stays closed. A window is never moved back, since processes
 * with different time zone rules would move it back and forth.
 */
public final class WindowTask extends PeriodicTask {

	private static final Duration INTERVAL = Duration.ofSeconds(2);

	/** A window that never closes is prolonged this long before its end. */
	private static final int HOURS_AHEAD = 24;

	private final WindowStore store;

	private final Runnable declaring;

	/**
	 * Creates the task.
	 * @param store the windows; each statement runs in a separate transaction
	 * @param declaring stores the declarations that the application could not store when
	 * it started
	 */
	public WindowTask(WindowStore store, Runnable declaring) {
		super("window", INTERVAL, WindowStore.NEXT);
		this.store = store;
		this.declaring = declaring;
	}

	@Override
	public void prepare() {
		this.declaring.run();
	}

	/** Another process may know the time zone of a window that this one cannot read. */
	@Override
	public boolean yieldsTurn() {
		return this.store.hasLeftClosing();
	}

	@Override
	public void run() {
		this.store.closingWithin(HOURS_AHEAD).forEach((status) -> {
			Opening opening = status.window().opening(this.store.now());
			if (opening.until().isAfter(status.openUntil())) {
				this.store.move(status.window(), opening);
			}
		});
	}

}
