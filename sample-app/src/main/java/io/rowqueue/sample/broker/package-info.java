/**
 * The Kafka that comes with the application when none is configured.
 */
@NullMarked
package io.rowqueue.sample.broker;

import org.jspecify.annotations.NullMarked;
