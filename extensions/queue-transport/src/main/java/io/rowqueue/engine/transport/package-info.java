/**
 * Runs the jobs that a message broker delivers, and parks those that it cannot keep.
 */
@NullMarked
package io.rowqueue.engine.transport;

import org.jspecify.annotations.NullMarked;
