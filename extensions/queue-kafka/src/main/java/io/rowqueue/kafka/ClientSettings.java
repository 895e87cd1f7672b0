package io.rowqueue.kafka;

import java.util.Map;

/**
 * Settings of Kafka's clients: where the brokers are, and how to log in. What this module
 * relies on takes precedence over them.
 *
 * @param admin settings of the admin client
 * @param producer settings of the producer
 * @param consumer settings of consumers
 */
public record ClientSettings(Map<String, Object> admin, Map<String, Object> producer, Map<String, Object> consumer) {

	/**
	 * Returns the settings for a broker without a login.
	 * @param bootstrapServers host and port of one broker or several, separated by commas
	 * @return the settings
	 */
	public static ClientSettings of(String bootstrapServers) {
		Map<String, Object> settings = Map.of("bootstrap.servers", bootstrapServers);
		return new ClientSettings(settings, settings, settings);
	}

	/** Settings may contain passwords. */
	@Override
	public String toString() {
		return "ClientSettings[bootstrap.servers=" + this.admin.get("bootstrap.servers") + "]";
	}

}
