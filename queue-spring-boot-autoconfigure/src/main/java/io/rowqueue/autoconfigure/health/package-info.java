/**
 * The health of the queue.
 */
@NullMarked
package io.rowqueue.autoconfigure.health;

import org.jspecify.annotations.NullMarked;
