package io.rowqueue.autoconfigure.schema;

import java.util.Set;

import org.springframework.boot.sql.init.dependency.AbstractBeansOfTypeDatabaseInitializerDetector;
import org.springframework.boot.sql.init.dependency.DatabaseInitializerDetector;
import org.springframework.core.Ordered;

/**
 * Makes Boot run the {@link QueueSchemaInitializer} last, after the application's own
 * migrations, and everything that depends on the database after both.
 */
class QueueSchemaInitializerDetector extends AbstractBeansOfTypeDatabaseInitializerDetector
		implements DatabaseInitializerDetector {

	@Override
	protected Set<Class<?>> getDatabaseInitializerBeanTypes() {
		return Set.of(QueueSchemaInitializer.class);
	}

	@Override
	public int getOrder() {
		return Ordered.LOWEST_PRECEDENCE;
	}

}
