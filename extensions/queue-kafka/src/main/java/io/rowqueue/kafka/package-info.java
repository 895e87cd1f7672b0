/**
 * Kafka as the transport of jobs.
 */
@NullMarked
package io.rowqueue.kafka;

import org.jspecify.annotations.NullMarked;
