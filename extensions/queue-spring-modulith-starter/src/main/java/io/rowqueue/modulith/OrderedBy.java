package io.rowqueue.modulith;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Delivers the events of one key to an {@code @ApplicationModuleListener} method strictly
 * one after the other, in the order of their commits: while an event waits for a retry,
 * later events of its key wait as well, until it has succeeded, failed permanently or
 * been cancelled. Events of other keys are not affected.
 *
 * <pre class="code">
 * &#064;ApplicationModuleListener
 * &#064;OrderedBy("customer")
 * void on(OrderPlaced placed) { … }
 * </pre>
 *
 * @since 0.1.0
 */
@Target({ ElementType.METHOD, ElementType.ANNOTATION_TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface OrderedBy {

	/**
	 * Determines the key of an event.
	 * @return a SpEL expression with the event as its root, such as {@code customer.id};
	 * an event whose key is {@code null} is not ordered
	 */
	String value();

}
