/**
 * Auto-configuration of Kafka as the transport of jobs.
 */
@NullMarked
package io.rowqueue.kafka.autoconfigure;

import org.jspecify.annotations.NullMarked;
