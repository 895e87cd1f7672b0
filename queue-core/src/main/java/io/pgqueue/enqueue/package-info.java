/**
 * Stores jobs in the transactions of the application.
 */
@NullMarked
package io.pgqueue.enqueue;

import org.jspecify.annotations.NullMarked;
