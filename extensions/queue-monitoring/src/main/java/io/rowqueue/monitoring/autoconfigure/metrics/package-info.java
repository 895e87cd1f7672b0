/**
 * The queue's meters.
 */
@NullMarked
package io.rowqueue.monitoring.autoconfigure.metrics;

import org.jspecify.annotations.NullMarked;
