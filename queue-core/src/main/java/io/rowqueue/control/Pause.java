package io.rowqueue.control;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A queue or type that no worker claims, because it is paused or held or its window is
 * closed.
 *
 * @param kind {@value #QUEUE} or {@value #TYPE}
 * @param name the name of the queue or type
 * @param pausedAt when it was paused, by the database's clock
 * @param reason the reason that was given for the pause, or {@code null}
 * @param window the window that is closed, or {@code null} if the queue or type is paused
 * or held
 * @param opensAt when the window opens or the hold ends, or {@code null}
 */
public record Pause(String kind, String name, Instant pausedAt, @Nullable String reason, @Nullable String window,
		@Nullable Instant opensAt) {

	/** The kind of a paused queue. */
	public static final String QUEUE = "queue";

	/** The kind of a paused type. */
	public static final String TYPE = "type";

	/** Creates a pause without a window. */
	public Pause(String kind, String name, Instant pausedAt, @Nullable String reason) {
		this(kind, name, pausedAt, reason, null, null);
	}

}
