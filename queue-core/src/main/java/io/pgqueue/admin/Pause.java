package io.pgqueue.admin;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A queue or a type that no worker claims, since somebody has paused it or a window is
 * closed.
 *
 * @param kind {@code queue} or {@code type}
 * @param name its name
 * @param pausedAt since when, by the database's clock
 * @param reason what whoever paused it said, or {@code null}
 * @param window the window that is closed; {@code null}: somebody paused it
 * @param opensAt when that opens
 */
public record Pause(String kind, String name, Instant pausedAt, @Nullable String reason, @Nullable String window,
		@Nullable Instant opensAt) {

	/** The kind of a paused queue. */
	public static final String QUEUE = "queue";

	/** The kind of a paused type. */
	public static final String TYPE = "type";

	/** One by hand. */
	public Pause(String kind, String name, Instant pausedAt, @Nullable String reason) {
		this(kind, name, pausedAt, reason, null, null);
	}

}
