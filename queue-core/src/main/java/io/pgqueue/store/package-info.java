/**
 * All tables and all SQL of the queue. A store has the statements about one thing, and
 * runs them in a {@link io.pgqueue.store.QueueDatabase}; everybody else speaks in
 * records.
 */
@NullMarked
package io.pgqueue.store;

import org.jspecify.annotations.NullMarked;
