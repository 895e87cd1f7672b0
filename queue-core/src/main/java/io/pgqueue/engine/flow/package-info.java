/**
 * Stores flows and batches, and ends batches that are complete.
 */
@NullMarked
package io.pgqueue.engine.flow;

import org.jspecify.annotations.NullMarked;
