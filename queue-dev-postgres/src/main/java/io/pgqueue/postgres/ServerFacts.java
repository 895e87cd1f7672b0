package io.pgqueue.postgres;

import java.time.Instant;
import java.util.Properties;

/**
 * What a keeper tells about its server.
 *
 * @param provider where the server came from
 * @param url JDBC URL of the database {@code postgres}
 * @param username a superuser
 * @param password the superuser's password
 * @param reason why this provider was chosen
 * @param keeper who stops the server
 */
record ServerFacts(Provider provider, String url, String username, String password, String reason, KeeperId keeper) {

	ServerFacts keptBy(KeeperId other) {
		return new ServerFacts(this.provider, this.url, this.username, this.password, this.reason, other);
	}

	Properties toProperties() {
		Properties properties = new Properties();
		properties.setProperty("provider", this.provider.toString());
		properties.setProperty("url", this.url);
		properties.setProperty("username", this.username);
		properties.setProperty("password", this.password);
		properties.setProperty("reason", this.reason);
		properties.setProperty("keeper.pid", Long.toString(this.keeper.pid()));
		properties.setProperty("keeper.start", this.keeper.start().toString());
		return properties;
	}

	static ServerFacts of(Properties properties) {
		return new ServerFacts(Provider.of(properties.getProperty("provider")), properties.getProperty("url"),
				properties.getProperty("username"), properties.getProperty("password"),
				properties.getProperty("reason"), new KeeperId(Long.parseLong(properties.getProperty("keeper.pid")),
						Instant.parse(properties.getProperty("keeper.start"))));
	}

}
