package io.pgqueue.engine.database;

import java.sql.SQLException;

import org.jspecify.annotations.Nullable;

/** More notifications have arrived than a worker reads at once. */
public final class NotificationFloodException extends SQLException {

	private static final String INSUFFICIENT_RESOURCES = "53000";

	private final int notifier;

	public NotificationFloodException(int notifier, @Nullable SQLException cause) {
		super("More notifications have arrived than are read at once", INSUFFICIENT_RESOURCES, cause);
		this.notifier = notifier;
	}

	/** The process of the server that sent the latest of them. */
	public int notifier() {
		return this.notifier;
	}

}
