package io.rowqueue.autoconfigure.schema;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration that keeps the queue's {@code flyway-core} from switching on a
 * Flyway that the application does not use. It does not depend on
 * {@code rowqueue.enabled}: the library is on the class path in any case.
 *
 * @since 0.1.0
 */
@AutoConfiguration
@ConditionalOnClass(FlywayAutoConfiguration.class)
public final class QueueFlywayAutoConfiguration {

	/**
	 * Without parameters: to look for their values would create factories of the
	 * application, and what they need, before properties are bound.
	 */
	@Bean
	static UnusedFlywayRemover rowqueueUnusedFlywayRemover() {
		return new UnusedFlywayRemover();
	}

}
