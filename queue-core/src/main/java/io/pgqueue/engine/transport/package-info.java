/**
 * Runs the jobs that a message broker delivers, and parks those that it cannot keep.
 */
@NullMarked
package io.pgqueue.engine.transport;

import org.jspecify.annotations.NullMarked;
