package io.pgqueue.autoconfigure.schema;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.core.io.ResourceLoader;

/**
 * Auto-configuration that keeps the queue's {@code flyway-core} from switching on a
 * Flyway that the application does not use. It does not depend on
 * {@code pgqueue.enabled}: the library is on the class path in any case.
 *
 * @since 0.1.0
 */
@AutoConfiguration
@ConditionalOnClass(FlywayAutoConfiguration.class)
public final class QueueFlywayAutoConfiguration {

	@Bean
	static UnusedFlywayRemover pgqueueUnusedFlywayRemover(Environment environment, ResourceLoader resources) {
		return new UnusedFlywayRemover(environment, resources);
	}

}
