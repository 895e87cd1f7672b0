package io.pgqueue.window;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.pgqueue.Window;
import io.pgqueue.Window.Opening;
import io.pgqueue.maintenance.PeriodicTask;
import io.pgqueue.store.WindowStore;

/**
 * Moves windows that have closed to their next opening. There is all the time for that
 * until they open: a window that nobody moves stays closed.
 */
public final class WindowTask extends PeriodicTask {

	private static final Duration INTERVAL = Duration.ofSeconds(2);

	/** One that is open for ever is prolonged a day before. */
	private static final int HOURS = 24;

	private final WindowStore store;

	private final List<Window> declared;

	/**
	 * Creates the task.
	 * @param store the windows; each statement in a transaction of its own
	 * @param declared the windows that this application declares
	 */
	public WindowTask(WindowStore store, List<Window> declared) {
		super("window", INTERVAL, WindowStore.NEXT);
		this.store = store;
		this.declared = List.copyOf(declared);
	}

	/** Writes down what this application declares. */
	@Override
	public void prepare() {
		if (!this.declared.isEmpty()) {
			Instant now = this.store.now();
			this.declared.forEach((window) -> this.store.put(window, window.opening(now), false));
		}
	}

	@Override
	public void run() {
		this.store.closingWithin(HOURS).forEach((status) -> {
			Opening opening = status.window().opening(this.store.now());
			if (!opening.equals(new Opening(status.openFrom(), status.openUntil()))) {
				this.store.move(status.window(), opening);
			}
		});
	}

}
