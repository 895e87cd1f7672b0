package io.rowqueue.autoconfigure.connection;

import io.rowqueue.autoconfigure.QueueProperties.Notifications;
import org.jspecify.annotations.Nullable;

/** The connection details of the properties, or none. */
final class PropertiesQueueConnectionDetails implements QueueConnectionDetails {

	private final @Nullable Notifications properties;

	PropertiesQueueConnectionDetails(@Nullable Notifications properties) {
		this.properties = properties;
	}

	@Override
	public @Nullable String getJdbcUrl() {
		return (this.properties != null) ? this.properties.url() : null;
	}

	@Override
	public @Nullable String getUsername() {
		return (this.properties != null) ? this.properties.username() : null;
	}

	@Override
	public @Nullable String getPassword() {
		return (this.properties != null) ? this.properties.password() : null;
	}

}
