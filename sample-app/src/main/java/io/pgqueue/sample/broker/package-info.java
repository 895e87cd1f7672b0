/**
 * The Kafka that comes with the application when none is configured.
 */
@NullMarked
package io.pgqueue.sample.broker;

import org.jspecify.annotations.NullMarked;
