/**
 * Measures the queue in the background, for meters, health and the log.
 */
@NullMarked
package io.rowqueue.monitoring.autoconfigure.measurement;

import org.jspecify.annotations.NullMarked;
