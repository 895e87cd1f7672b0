package io.pgqueue.window;

import java.time.Instant;
import java.util.Set;

import io.pgqueue.JobHandler;

/**
 * A window as it is now. All times are the database's.
 *
 * @param window the window
 * @param open whether it is open
 * @param openFrom when it has opened or opens next
 * @param openUntil when it closes then
 * @param declared whether a living worker declares it, or it is of code; one that nobody
 * declares any more still holds, until it is removed
 * @param handlerTypes the types whose handlers name it, see {@link JobHandler#window()};
 * they are run only while it is open, as those of the window itself
 * @since 0.1.0
 */
public record WindowStatus(Window window, boolean open, Instant openFrom, Instant openUntil, boolean declared,
		Set<String> handlerTypes) {

	/** Copies the set. */
	public WindowStatus {
		handlerTypes = Set.copyOf(handlerTypes);
	}

}
