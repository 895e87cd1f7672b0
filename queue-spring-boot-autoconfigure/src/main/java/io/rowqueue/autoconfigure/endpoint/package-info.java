/**
 * The actuator endpoint of the queue, and its part of {@code info}.
 */
@NullMarked
package io.rowqueue.autoconfigure.endpoint;

import org.jspecify.annotations.NullMarked;
