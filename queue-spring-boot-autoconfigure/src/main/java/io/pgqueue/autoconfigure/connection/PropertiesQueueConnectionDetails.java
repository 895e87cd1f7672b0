package io.pgqueue.autoconfigure.connection;

import io.pgqueue.autoconfigure.QueueProperties.Notifications;
import org.jspecify.annotations.Nullable;

/** The connection details of the properties. */
final class PropertiesQueueConnectionDetails implements QueueConnectionDetails {

	private final Notifications properties;

	PropertiesQueueConnectionDetails(Notifications properties) {
		this.properties = properties;
	}

	@Override
	public @Nullable String getJdbcUrl() {
		return this.properties.url();
	}

	@Override
	public @Nullable String getUsername() {
		return this.properties.username();
	}

	@Override
	public @Nullable String getPassword() {
		return this.properties.password();
	}

}
