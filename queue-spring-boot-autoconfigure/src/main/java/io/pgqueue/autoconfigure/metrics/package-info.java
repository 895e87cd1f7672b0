/**
 * The queue's meters.
 */
@NullMarked
package io.pgqueue.autoconfigure.metrics;

import org.jspecify.annotations.NullMarked;
