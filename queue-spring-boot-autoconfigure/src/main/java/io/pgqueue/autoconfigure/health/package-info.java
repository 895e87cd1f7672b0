/**
 * The health of the queue.
 */
@NullMarked
package io.pgqueue.autoconfigure.health;

import org.jspecify.annotations.NullMarked;
