/**
 * Queues, types, workers and limits, as they are now and as they will be.
 */
@NullMarked
package io.rowqueue.dashboard.api.queue;

import org.jspecify.annotations.NullMarked;
