/**
 * Stores jobs in the transactions of the application.
 */
@NullMarked
package io.rowqueue.engine.enqueue;

import org.jspecify.annotations.NullMarked;
