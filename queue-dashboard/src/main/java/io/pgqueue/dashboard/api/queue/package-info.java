/**
 * Queues, types, workers and limits, as they are now and as they will be.
 */
@NullMarked
package io.pgqueue.dashboard.api.queue;

import org.jspecify.annotations.NullMarked;
