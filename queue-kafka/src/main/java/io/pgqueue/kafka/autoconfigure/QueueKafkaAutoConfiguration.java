package io.pgqueue.kafka.autoconfigure;

import java.util.HashMap;
import java.util.Map;

import io.micrometer.core.instrument.MeterRegistry;
import io.pgqueue.autoconfigure.QueueAutoConfiguration;
import io.pgqueue.autoconfigure.QueueProperties;
import io.pgqueue.kafka.ClientSettings;
import io.pgqueue.kafka.KafkaTransport;
import io.pgqueue.transport.JobTransport;
import org.apache.kafka.clients.CommonClientConfigs;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails;
import org.springframework.boot.kafka.autoconfigure.KafkaProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

/**
 * Auto-configuration of Kafka as the transport of the types that
 * {@code pgqueue.kafka.types} names. Where the broker is, and how to log in, is what
 * {@code spring.kafka} says.
 *
 * @since 0.1.0
 */
@AutoConfiguration(before = QueueAutoConfiguration.class,
		afterName = "org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration")
@ConditionalOnBooleanProperty(name = "pgqueue.enabled", matchIfMissing = true)
@Conditional(OnCarriedTypes.class)
@EnableConfigurationProperties(QueueKafkaProperties.class)
public final class QueueKafkaAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(JobTransport.class)
	KafkaTransport pgqueueKafkaTransport(QueueKafkaProperties properties, QueueProperties queue,
			ClientSettings clients) {
		return new KafkaTransport(properties.settings(queue.schema().name()), properties.transport(), clients);
	}

	@Bean
	@ConditionalOnBean(KafkaTransport.class)
	BrokerCheck pgqueueKafkaBrokerCheck(KafkaTransport transport) {
		return new BrokerCheck(transport);
	}

	/** Separate, because it names classes that may be missing. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(KafkaConnectionDetails.class)
	static class BootConnectionConfiguration {

		@Bean
		@ConditionalOnMissingBean
		@ConditionalOnBean(KafkaConnectionDetails.class)
		ClientSettings pgqueueKafkaClientSettings(ObjectProvider<KafkaProperties> kafka,
				KafkaConnectionDetails connection, QueueKafkaProperties properties) {
			return ClientSettingsFactory.of(kafka.getIfAvailable(KafkaProperties::new), connection,
					properties.properties());
		}

	}

	/** Without Boot's module for Kafka. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnMissingBean(ClientSettings.class)
	static class OwnConnectionConfiguration {

		@Bean
		ClientSettings pgqueueKafkaClientSettings(QueueKafkaProperties properties) {
			Map<String, Object> settings = new HashMap<>(properties.properties());
			if (!settings.containsKey(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG)) {
				throw new InvalidConfigurationPropertyValueException("pgqueue.kafka.types", properties.types(),
						"Kafka has no address: add spring-boot-starter-kafka and set spring.kafka.bootstrap-servers,"
								+ " or set pgqueue.kafka.properties[bootstrap.servers]");
			}
			return new ClientSettings(settings, settings, settings);
		}

	}

	/** Separate, because its condition is a class that may be missing. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class })
	static class HealthConfiguration {

		@Bean
		@ConditionalOnEnabledHealthIndicator("pgqueue")
		@ConditionalOnBean(KafkaTransport.class)
		KafkaHealthIndicator pgqueueKafkaHealthIndicator(KafkaTransport transport, QueueProperties properties) {
			return new KafkaHealthIndicator(transport, properties.health().status());
		}

	}

	/** Separate, because its condition is a class that may be missing. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(MeterRegistry.class)
	static class MetersConfiguration {

		@Bean
		@ConditionalOnBean(KafkaTransport.class)
		KafkaGauges pgqueueKafkaGauges(KafkaTransport transport) {
			return new KafkaGauges(transport);
		}

		/** No bean depends on the meters: lazy initialization would omit them. */
		@Bean
		static LazyInitializationExcludeFilter pgqueueKafkaMetersLazyInitializationExcludeFilter() {
			return LazyInitializationExcludeFilter.forBeanTypes(KafkaGauges.class);
		}

	}

}
