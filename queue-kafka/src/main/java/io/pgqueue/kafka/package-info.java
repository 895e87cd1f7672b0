/**
 * Kafka as the transport of jobs.
 */
@NullMarked
package io.pgqueue.kafka;

import org.jspecify.annotations.NullMarked;
