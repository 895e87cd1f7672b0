package io.rowqueue.autoconfigure.handler;

import io.rowqueue.PayloadCodec;
import io.rowqueue.PayloadEncryption;
import io.rowqueue.autoconfigure.QueueAutoConfiguration;
import io.rowqueue.autoconfigure.QueueProperties;
import io.rowqueue.engine.codec.EncryptingPayloadCodec;
import io.rowqueue.engine.codec.JacksonPayloadCodec;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import tools.jackson.databind.json.JsonMapper;

/**
 * Auto-configuration of the codec of payloads and the registry of handlers.
 *
 * @since 0.1.0
 */
@AutoConfiguration(before = QueueAutoConfiguration.class,
		afterName = "org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration")
@ConditionalOnBooleanProperty(name = "rowqueue.enabled", matchIfMissing = true)
@EnableConfigurationProperties(QueueProperties.class)
public final class QueueHandlerAutoConfiguration {

	/** Encrypts what the other codec would write, if the application declares how. */
	@Bean
	@ConditionalOnBean(PayloadEncryption.class)
	@ConditionalOnMissingBean(PayloadCodec.class)
	EncryptingPayloadCodec rowqueueEncryptingPayloadCodec(ObjectProvider<JsonMapper> mapper,
			PayloadEncryption encryption) {
		return new EncryptingPayloadCodec(new JacksonPayloadCodec(mapper.getIfAvailable(JsonMapper::shared)),
				encryption);
	}

	/** Uses the application's mapper, so that payloads look like its other JSON. */
	@Bean
	@ConditionalOnMissingBean(PayloadCodec.class)
	JacksonPayloadCodec rowqueuePayloadCodec(ObjectProvider<JsonMapper> mapper) {
		return new JacksonPayloadCodec(mapper.getIfAvailable(JsonMapper::shared));
	}

	@Bean
	HandlerRegistryFactory rowqueueHandlerRegistryFactory(ConfigurableListableBeanFactory beans,
			Environment environment, PayloadCodec codec, QueueProperties properties) {
		return new HandlerRegistryFactory(beans, environment, codec, properties);
	}

}
