package io.rowqueue.window;

import java.time.Instant;
import java.util.Set;

import io.rowqueue.JobHandler;

/**
 * A snapshot of a window. All times are those of the database's clock.
 *
 * @param window the window
 * @param open whether the window is open
 * @param openFrom when the window opened, or opens next
 * @param openUntil when it closes after that
 * @param declared whether a live worker declares the window, or it was stored with
 * {@link Windows#put}; a window that no worker declares still applies until it is removed
 * @param handlerTypes the types whose handlers name the window, see
 * {@link JobHandler#window()}; like the types of the window itself, they run only while
 * it is open
 * @since 0.1.0
 */
public record WindowStatus(Window window, boolean open, Instant openFrom, Instant openUntil, boolean declared,
		Set<String> handlerTypes) {

	/** Copies the types. */
	public WindowStatus {
		handlerTypes = Set.copyOf(handlerTypes);
	}

}
