package io.pgqueue;

import java.time.Instant;

/**
 * A window as it is now. All times are the database's.
 *
 * @param window the window
 * @param open whether it is open
 * @param openFrom when it has opened or opens next
 * @param openUntil when it closes then
 * @param declared whether a living worker declares it, or it is of code; one that nobody
 * declares any more still holds, until it is removed
 * @since 0.1.0
 */
public record WindowStatus(Window window, boolean open, Instant openFrom, Instant openUntil, boolean declared) {

}
