package io.rowqueue.control;

import java.time.Instant;

import io.rowqueue.engine.support.QueueClass;
import org.jspecify.annotations.Nullable;

/**
 * A queue, a class of queues or a type that no worker claims, because it is paused or
 * held or its window is closed.
 *
 * @param kind {@value #QUEUE}, also of a class of queues, or {@value #TYPE}
 * @param name the name of the queue, such as {@code closing:ledger}, of the class, such
 * as {@code closing:*}, or of the type
 * @param pausedAt when it was paused, by the database's clock
 * @param reason the reason that was given for the pause, or {@code null}
 * @param window the window that is closed, or {@code null} if the queue or type is paused
 * or held
 * @param opensAt when the window opens or the hold ends, or {@code null}
 */
public record Pause(String kind, String name, Instant pausedAt, @Nullable String reason, @Nullable String window,
		@Nullable Instant opensAt) {

	/** The kind of a paused queue, or of a paused class of queues. */
	public static final String QUEUE = "queue";

	/** The kind of a paused type. */
	public static final String TYPE = "type";

	/** Creates a pause without a window. */
	public Pause(String kind, String name, Instant pausedAt, @Nullable String reason) {
		this(kind, name, pausedAt, reason, null, null);
	}

	/**
	 * Returns whether this prevents claims of a queue: it is the queue or its class.
	 * @param queue the name of the queue
	 * @return whether it does
	 */
	public boolean isOf(String queue) {
		return this.kind.equals(QUEUE) && QueueClass.isNamed(this.name, queue);
	}

}
