/**
 * All tables and all SQL of the queue. {@link io.pgqueue.store.JobStore} is the one way
 * in; everybody else speaks in records.
 */
@NullMarked
package io.pgqueue.store;

import org.jspecify.annotations.NullMarked;
