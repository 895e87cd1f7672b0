package io.rowqueue.test.autoconfigure;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.PropertyMapping;

/**
 * Provides the queue and a {@link io.rowqueue.test.QueueTester} to a test with
 * {@code @SpringBootTest} or a slice that has a {@code DataSource} for PostgreSQL, and
 * disables the worker.
 *
 * @since 0.1.0
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ImportAutoConfiguration
public @interface AutoConfigureQueueTester {

	/**
	 * Whether the application's worker runs in the test. It claims committed jobs, and
	 * the tester only runs the others.
	 * @return whether it runs
	 */
	@PropertyMapping("rowqueue.worker.enabled")
	boolean worker() default false;

}
