/**
 * The queue's meters.
 */
@NullMarked
package io.rowqueue.autoconfigure.metrics;

import org.jspecify.annotations.NullMarked;
