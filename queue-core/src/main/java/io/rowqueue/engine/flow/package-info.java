/**
 * Stores flows and batches, and ends batches that are complete.
 */
@NullMarked
package io.rowqueue.engine.flow;

import org.jspecify.annotations.NullMarked;
