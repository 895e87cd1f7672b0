package io.pgqueue.test.autoconfigure;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.PropertyMapping;

/**
 * Gives a test, one with {@code @SpringBootTest} for example, a
 * {@link io.pgqueue.test.QueueTester} to inject, and has no worker run beside it.
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
	 * Whether the application's worker runs in the test. It takes each job that is
	 * committed, and the tester only what is left.
	 * @return whether it runs
	 */
	@PropertyMapping("pgqueue.worker.enabled")
	boolean worker() default false;

}
