package io.rowqueue.sample.broker;

import java.util.List;

import io.rowqueue.devkafka.DevKafka;
import io.rowqueue.sample.DataDirectory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.NoneNestedConditions;
import org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;

/**
 * With the profile {@code kafka}, a broker in the data directory, unless
 * {@code spring.kafka.bootstrap-servers} or a service connection of a test names another.
 */
@Configuration(proxyBeanMethods = false)
@Profile("kafka")
@Conditional(EmbeddedBroker.WithoutServers.class)
@ConditionalOnMissingBean(KafkaConnectionDetails.class)
class EmbeddedBroker {

	@Bean
	DevKafka kafka(DataDirectory data) {
		return DevKafka.in(data.directory("kafka"));
	}

	@Bean
	KafkaConnectionDetails kafkaConnectionDetails(DevKafka kafka) {
		return () -> List.of(kafka.bootstrapServers());
	}

	/** Matches when no other broker is configured. */
	static class WithoutServers extends NoneNestedConditions {

		WithoutServers() {
			super(ConfigurationPhase.PARSE_CONFIGURATION);
		}

		@ConditionalOnProperty("spring.kafka.bootstrap-servers")
		static class WithServers {

		}

	}

}
