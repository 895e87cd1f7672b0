package io.rowqueue.postgres;

import java.util.Locale;
import java.util.Optional;
import java.util.Properties;

import org.postgresql.Driver;

/** The server that a system property or an environment variable names. */
final class GivenServer {

	private GivenServer() {
	}

	static Optional<Database> find() {
		return setting("url").map((url) -> {
			Properties parts = Driver.parseURL(url, new Properties());
			if (parts == null) {
				// the URL may contain a password
				throw new IllegalArgumentException("postgres.url is not a JDBC URL of PostgreSQL");
			}
			String username = setting("username")
				.orElseGet(() -> parts.getProperty("user", System.getProperty("user.name")));
			String password = setting("password").orElseGet(() -> parts.getProperty("password", ""));
			return new Database(url, username, password);
		});
	}

	private static Optional<String> setting(String name) {
		String property = System.getProperty("postgres." + name);
		String value = (property != null) ? property : System.getenv("POSTGRES_" + name.toUpperCase(Locale.ROOT));
		return Optional.ofNullable(value).filter((text) -> !text.isBlank());
	}

}
