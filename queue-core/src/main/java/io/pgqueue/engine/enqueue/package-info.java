/**
 * Stores jobs in the transactions of the application.
 */
@NullMarked
package io.pgqueue.engine.enqueue;

import org.jspecify.annotations.NullMarked;
