package io.pgqueue.engine.window;

import java.time.Duration;

import io.pgqueue.engine.maintenance.PeriodicTask;
import io.pgqueue.window.Window.Opening;

/**
 * Moves windows that have closed to their next opening. There is all the time for that
 * until they open: a window that nobody moves stays closed. A window is never moved back:
 * processes that know different rules of a time zone would move it to and fro.
 */
public final class WindowTask extends PeriodicTask {

	private static final Duration INTERVAL = Duration.ofSeconds(2);

	/** One that is open for ever is prolonged a day before. */
	private static final int HOURS = 24;

	private final WindowStore store;

	private final Runnable declaring;

	/**
	 * Creates the task of an application that declares no windows.
	 * @param store the windows; each statement in a transaction of its own
	 */
	public WindowTask(WindowStore store) {
		this(store, () -> {
		});
	}

	/**
	 * Creates the task.
	 * @param store the windows; each statement in a transaction of its own
	 * @param declaring writes down what the application declares and could not write when
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

	@Override
	public void run() {
		this.store.closingWithin(HOURS).forEach((status) -> {
			Opening opening = status.window().opening(this.store.now());
			if (opening.until().isAfter(status.openUntil())) {
				this.store.move(status.window(), opening);
			}
		});
	}

}
