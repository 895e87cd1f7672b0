package io.rowqueue.limit;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A queue, type or limit key that is held for some time: no worker claims its jobs.
 *
 * @param kind what is held
 * @param name the queue, the type or the limit key
 * @param heldAt when it was held, by the database's clock
 * @param until when the hold ends
 * @param reason the reason, or {@code null}
 * @since 0.1.0
 */
public record Hold(LimitKind kind, String name, Instant heldAt, Instant until, @Nullable String reason) {

}
