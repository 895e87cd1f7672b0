/**
 * Creates and checks the queue's tables when the application starts.
 */
@NullMarked
package io.pgqueue.autoconfigure.schema;

import org.jspecify.annotations.NullMarked;
