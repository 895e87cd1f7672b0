/**
 * The health of the queue.
 */
@NullMarked
package io.rowqueue.monitoring.autoconfigure.health;

import org.jspecify.annotations.NullMarked;
