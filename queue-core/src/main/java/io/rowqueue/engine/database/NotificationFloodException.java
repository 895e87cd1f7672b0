package io.rowqueue.engine.database;

import java.sql.SQLException;

import org.jspecify.annotations.Nullable;

/** Thrown if more notifications have arrived than a worker reads at once. */
public final class NotificationFloodException extends SQLException {

	private static final String INSUFFICIENT_RESOURCES = "53000";

	private final int notifier;

	public NotificationFloodException(int notifier, @Nullable SQLException cause) {
		super("More notifications have arrived than are read at once", INSUFFICIENT_RESOURCES, cause);
		this.notifier = notifier;
	}

	/** Returns the server process that has sent the latest of them. */
	public int notifier() {
		return this.notifier;
	}

}
