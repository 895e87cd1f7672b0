/**
 * A real Kafka broker for development and tests that needs nothing installed.
 */
@NullMarked
package io.rowqueue.devkafka;

import org.jspecify.annotations.NullMarked;
