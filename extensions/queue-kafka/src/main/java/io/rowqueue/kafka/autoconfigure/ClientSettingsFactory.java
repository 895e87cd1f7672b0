package io.rowqueue.kafka.autoconfigure;

import java.util.HashMap;
import java.util.Map;

import io.rowqueue.kafka.ClientSettings;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.common.config.SslConfigs;
import org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails;
import org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails.Configuration;
import org.springframework.boot.kafka.autoconfigure.KafkaProperties;
import org.springframework.boot.kafka.autoconfigure.SslBundleSslEngineFactory;
import org.springframework.boot.ssl.SslBundle;

/** Takes the settings of Kafka's clients from Spring Boot. */
final class ClientSettingsFactory {

	private ClientSettingsFactory() {
	}

	static ClientSettings of(KafkaProperties kafka, KafkaConnectionDetails connection, Map<String, String> more) {
		return new ClientSettings(settings(kafka.buildAdminProperties(), connection.getAdmin(), more),
				settings(kafka.buildProducerProperties(), connection.getProducer(), more),
				settings(kafka.buildConsumerProperties(), connection.getConsumer(), more));
	}

	private static Map<String, Object> settings(Map<String, Object> properties, Configuration connection,
			Map<String, String> more) {
		Map<String, Object> result = new HashMap<>(properties);
		result.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, connection.getBootstrapServers());
		String protocol = connection.getSecurityProtocol();
		if (protocol != null && !protocol.isEmpty()) {
			result.put(CommonClientConfigs.SECURITY_PROTOCOL_CONFIG, protocol);
		}
		SslBundle bundle = connection.getSslBundle();
		if (bundle != null) {
			result.put(SslConfigs.SSL_ENGINE_FACTORY_CLASS_CONFIG, SslBundleSslEngineFactory.class);
			result.put(SslBundle.class.getName(), bundle);
		}
		result.putAll(more);
		return result;
	}

}
