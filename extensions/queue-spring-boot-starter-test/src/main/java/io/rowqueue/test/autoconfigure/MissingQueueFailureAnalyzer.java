package io.rowqueue.test.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Explains that a slice such as {@code @WebMvcTest} does not include the queue that one
 * of its beans needs. Before the analyzer of Spring Boot, which advises to define a bean.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
class MissingQueueFailureAnalyzer extends AbstractFailureAnalyzer<NoSuchBeanDefinitionException> {

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, NoSuchBeanDefinitionException cause) {
		Class<?> missing = cause.getBeanType();
		if (missing == null || !missing.getName().startsWith("io.rowqueue.")) {
			return null;
		}
		return new FailureAnalysis(
				"A bean needs a %s, and the slice of this test does not include the queue."
					.formatted(missing.getName()),
				"Add @RecordJobs (io.rowqueue.test.autoconfigure) to the test: its JobQueue records jobs in memory. To store"
						+ " and run them, use @QueueTest, or add @AutoConfigureQueueTester to a slice with a DataSource for"
						+ " PostgreSQL.",
				cause);
	}

}
