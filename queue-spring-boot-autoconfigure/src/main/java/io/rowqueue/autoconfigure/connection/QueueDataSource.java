package io.rowqueue.autoconfigure.connection;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.beans.factory.annotation.Qualifier;

/**
 * Marks the {@code DataSource} bean of the queue, in an application that has several.
 * Without it the queue uses the application's only or primary one. Jobs are enqueued in
 * the application's transactions only if these use the same {@code DataSource}.
 *
 * <pre>
 * &#064;Bean(defaultCandidate = false)
 * &#064;QueueDataSource
 * DataSource rowqueueDataSource() { … }
 * </pre>
 *
 * @since 0.1.0
 */
@Target({ ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER, ElementType.TYPE, ElementType.ANNOTATION_TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Qualifier
public @interface QueueDataSource {

}
