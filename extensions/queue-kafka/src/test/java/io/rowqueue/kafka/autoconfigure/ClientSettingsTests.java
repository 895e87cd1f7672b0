package io.rowqueue.kafka.autoconfigure;

import java.util.List;
import java.util.Map;

import io.rowqueue.kafka.ClientSettings;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails;
import org.springframework.boot.kafka.autoconfigure.SslBundleSslEngineFactory;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.ssl.SslStoreBundle;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;

/** Where the brokers are, and how to log in, is what Spring Boot knows. */
class ClientSettingsTests {

	private final ApplicationContextRunner application = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(KafkaAutoConfiguration.class))
		.withUserConfiguration(Settings.class)
		.withPropertyValues("rowqueue.kafka.types=push");

	@Test
	void serversAndLoginAreThoseOfSpringKafka() {
		this.application
			.withPropertyValues("spring.kafka.bootstrap-servers=one:9092,two:9092",
					"spring.kafka.security.protocol=SASL_SSL", "spring.kafka.properties[sasl.mechanism]=PLAIN")
			.run((context) -> assertThat(each(context)).allSatisfy((settings) -> assertThat(settings)
				.containsEntry("bootstrap.servers", List.of("one:9092", "two:9092"))
				.containsEntry("security.protocol", "SASL_SSL")
				.containsEntry("sasl.mechanism", "PLAIN")));
	}

	@Test
	void aBeanOfConnectionDetailsTakesPrecedence() {
		this.application.withPropertyValues("spring.kafka.bootstrap-servers=one:9092")
			.withBean(KafkaConnectionDetails.class, () -> () -> List.of("container:9092"))
			.run((context) -> assertThat(each(context)).allSatisfy(
					(settings) -> assertThat(settings).containsEntry("bootstrap.servers", List.of("container:9092"))));
	}

	@Test
	void anSslBundleIsThatOfSpringKafka() {
		SslBundle bundle = SslBundle.of(SslStoreBundle.NONE);
		this.application.withBean(SslBundles.class, () -> new DefaultSslBundleRegistry("brokers", bundle))
			.withPropertyValues("spring.kafka.ssl.bundle=brokers", "spring.kafka.security.protocol=SSL")
			.run((context) -> assertThat(each(context)).allSatisfy((settings) -> assertThat(settings)
				.containsEntry("ssl.engine.factory.class", SslBundleSslEngineFactory.class)
				.containsEntry(SslBundle.class.getName(), bundle)));
	}

	@Test
	void propertiesOfTheQueueTakePrecedence() {
		this.application
			.withPropertyValues("spring.kafka.bootstrap-servers=one:9092", "spring.kafka.client-id=application",
					"rowqueue.kafka.properties[client.id]=queue")
			.run((context) -> assertThat(each(context))
				.allSatisfy((settings) -> assertThat(settings).containsEntry("client.id", "queue")));
	}

	private static List<Map<String, Object>> each(ApplicationContext context) {
		ClientSettings settings = context.getBean(ClientSettings.class);
		return List.of(settings.admin(), settings.producer(), settings.consumer());
	}

	@Configuration(proxyBeanMethods = false)
	@EnableConfigurationProperties(QueueKafkaProperties.class)
	@Import(QueueKafkaAutoConfiguration.BootConnectionConfiguration.class)
	static class Settings {

	}

}
