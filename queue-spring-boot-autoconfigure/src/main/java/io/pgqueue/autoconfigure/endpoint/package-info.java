/**
 * The actuator endpoint of the queue, and what it says under {@code info}.
 */
@NullMarked
package io.pgqueue.autoconfigure.endpoint;

import org.jspecify.annotations.NullMarked;
