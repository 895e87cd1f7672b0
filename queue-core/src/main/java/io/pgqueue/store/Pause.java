package io.pgqueue.store;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A queue or a type that no worker claims.
 *
 * @param kind {@code queue} or {@code type}
 * @param name its name
 * @param pausedAt since when, by the database's clock
 * @param reason what whoever paused it said, or {@code null}
 */
public record Pause(String kind, String name, Instant pausedAt, @Nullable String reason) {

	/** The kind of a paused queue. */
	public static final String QUEUE = "queue";

	/** The kind of a paused type. */
	public static final String TYPE = "type";

}
