package io.rowqueue.test.autoconfigure;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.autoconfigure.OverrideAutoConfiguration;
import org.springframework.boot.test.autoconfigure.jdbc.AutoConfigureDataSourceInitialization;
import org.springframework.boot.test.autoconfigure.json.AutoConfigureJson;
import org.springframework.boot.test.context.filter.annotation.TypeExcludeFilters;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.core.annotation.AliasFor;
import org.springframework.core.env.Environment;
import org.springframework.test.context.BootstrapWith;
import org.springframework.test.context.junit.jupiter.SpringExtension;
import org.springframework.transaction.annotation.Transactional;

/**
 * A test slice for job handlers and for components that enqueue jobs, on a real
 * PostgreSQL: the queue, the {@code DataSource} of the application (or a
 * {@code @ServiceConnection}), its migrations, {@code JdbcClient}, Jackson, and a
 * {@link io.rowqueue.test.QueueTester}.
 * <p>
 * Only components that have or inherit a {@code @JobHandler} or {@code @RecurringJob}
 * method, register handlers, or are a {@code RetryPolicy} or {@code PayloadCodec} are
 * scanned; mock ({@code @MockitoBean}) or import the beans that they need. No worker
 * runs.
 * <p>
 * Each test runs in a transaction that is rolled back, unless the class is annotated with
 * {@code @Transactional(propagation = NOT_SUPPORTED)}.
 *
 * @since 0.1.0
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@BootstrapWith(QueueTestContextBootstrapper.class)
@ExtendWith(SpringExtension.class)
@OverrideAutoConfiguration(enabled = false)
@TypeExcludeFilters(QueueTypeExcludeFilter.class)
@Transactional
@AutoConfigureDataSourceInitialization
@AutoConfigureJson
@AutoConfigureQueueTester
@ImportAutoConfiguration
public @interface QueueTest {

	/**
	 * Properties for the {@link Environment}, as {@code key=value}.
	 * @return the properties
	 */
	String[] properties() default {};

	/**
	 * The only components with handlers to scan; alias for {@link #handlers}.
	 * @return the classes; none: all
	 */
	@AliasFor("handlers")
	Class<?>[] value() default {};

	/**
	 * The only components with handlers to scan.
	 * @return the classes; none: all
	 */
	@AliasFor("value")
	Class<?>[] handlers() default {};

	/**
	 * Whether the default filters apply, which include components with handlers.
	 * @return whether they apply
	 */
	boolean useDefaultFilters() default true;

	/**
	 * Filters of further components to scan.
	 * @return the filters
	 */
	Filter[] includeFilters() default {};

	/**
	 * Filters of components not to scan.
	 * @return the filters
	 */
	Filter[] excludeFilters() default {};

	/**
	 * Auto-configurations to exclude.
	 * @return the classes
	 */
	@AliasFor(annotation = ImportAutoConfiguration.class, attribute = "exclude")
	Class<?>[] excludeAutoConfiguration() default {};

}
