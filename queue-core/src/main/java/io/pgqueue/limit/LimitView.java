package io.pgqueue.limit;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A limit and how full it is.
 *
 * @param kind what it is for
 * @param name the queue, the type, or the class of keys
 * @param limit the limit
 * @param byHand whether somebody has set it at run time, so that properties are ignored
 * @param changedAt when it was set
 * @param held how many jobs are held under it; {@code null}: it is one of keys
 * @param tokens how many jobs could begin now; {@code null}: it has no rate, or is one of
 * keys
 */
public record LimitView(LimitKind kind, String name, Limit limit, boolean byHand, Instant changedAt,
		@Nullable Integer held, @Nullable Integer tokens) {

}
