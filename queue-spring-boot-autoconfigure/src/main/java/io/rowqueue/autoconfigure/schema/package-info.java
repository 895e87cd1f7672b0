/**
 * Creates and checks the queue's tables when the application starts.
 */
@NullMarked
package io.rowqueue.autoconfigure.schema;

import org.jspecify.annotations.NullMarked;
