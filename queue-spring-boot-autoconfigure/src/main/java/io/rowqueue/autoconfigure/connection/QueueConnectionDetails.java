package io.rowqueue.autoconfigure.connection;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;

/**
 * Details of the connection to the PostgreSQL server itself that a worker listens for
 * notifications on, where the application connects through a connection pooler. A bean of
 * this type takes precedence over the properties {@code rowqueue.notifications.url},
 * {@code username} and {@code password}.
 *
 * @since 0.1.0
 */
public interface QueueConnectionDetails extends ConnectionDetails {

	/**
	 * Returns the JDBC URL of the server.
	 * @return the URL, or {@code null} if the application connects to the server itself
	 */
	@Nullable String getJdbcUrl();

	/**
	 * Returns the user.
	 * @return the user, or {@code null} for the credentials of the application's
	 * connections
	 */
	default @Nullable String getUsername() {
		return null;
	}

	/**
	 * Returns the password of the user.
	 * @return the password, or {@code null} if there is none
	 */
	default @Nullable String getPassword() {
		return null;
	}

}
