package io.rowqueue.kafka.autoconfigure;

import io.micrometer.core.instrument.MeterRegistry;
import io.rowqueue.autoconfigure.QueueAutoConfiguration;
import io.rowqueue.autoconfigure.QueueProperties;
import io.rowqueue.kafka.ClientSettings;
import io.rowqueue.kafka.KafkaTransport;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails;
import org.springframework.boot.kafka.autoconfigure.KafkaProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/**
 * Auto-configuration of Kafka as the transport of the types that
 * {@code rowqueue.kafka.types} names. Where the broker is, and how to log in, is what
 * {@code spring.kafka} says.
 *
 * @since 0.1.0
 */
@AutoConfiguration(before = QueueAutoConfiguration.class,
		afterName = "org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration")
@ConditionalOnBooleanProperty(name = "rowqueue.enabled", matchIfMissing = true)
@Conditional(OnCarriedTypes.class)
@EnableConfigurationProperties(QueueKafkaProperties.class)
public final class QueueKafkaAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	KafkaTransport rowqueueKafkaTransport(QueueKafkaProperties properties, QueueProperties queue,
			ClientSettings clients) {
		return new KafkaTransport(properties.settings(queue.schema().name()), properties.transport(), clients);
	}

	@Bean
	BrokerCheck rowqueueKafkaBrokerCheck(KafkaTransport transport) {
		return new BrokerCheck(transport);
	}

	/** Separate, because it names classes that may be missing. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(KafkaConnectionDetails.class)
	static class BootConnectionConfiguration {

		@Bean
		@ConditionalOnMissingBean
		ClientSettings rowqueueKafkaClientSettings(ObjectProvider<KafkaProperties> kafka,
				ObjectProvider<KafkaConnectionDetails> connection, QueueKafkaProperties properties) {
			KafkaConnectionDetails details = connection.getIfAvailable();
			return (details != null) ? ClientSettingsFactory.of(kafka.getIfAvailable(KafkaProperties::new), details,
					properties.properties()) : properties.clients();
		}

	}

	/** Without Boot's module for Kafka. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnMissingClass("org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails")
	static class OwnConnectionConfiguration {

		@Bean
		@ConditionalOnMissingBean
		ClientSettings rowqueueKafkaClientSettings(QueueKafkaProperties properties) {
			return properties.clients();
		}

	}

	/** Separate, because its condition is a class that may be missing. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class })
	static class HealthConfiguration {

		@Bean
		@ConditionalOnEnabledHealthIndicator("rowqueue")
		KafkaHealthIndicator rowqueueKafkaHealthIndicator(KafkaTransport transport, Environment environment) {
			// a property of the monitoring, which may be missing
			boolean down = Binder.get(environment)
				.bind("rowqueue.health.status", String.class)
				.map("down"::equalsIgnoreCase)
				.orElse(false);
			return new KafkaHealthIndicator(transport, down);
		}

	}

	/** Separate, because its condition is a class that may be missing. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(MeterRegistry.class)
	static class MetersConfiguration {

		@Bean
		KafkaGauges rowqueueKafkaGauges(KafkaTransport transport) {
			return new KafkaGauges(transport);
		}

		/** No bean depends on the meters: lazy initialization would omit them. */
		@Bean
		static LazyInitializationExcludeFilter rowqueueKafkaMetersLazyInitializationExcludeFilter() {
			return LazyInitializationExcludeFilter.forBeanTypes(KafkaGauges.class);
		}

	}

}
