/**
 * Figures over time: counted by processes, measured, and grouped by errors. The queue
 * works without them.
 */
@NullMarked
package io.rowqueue.engine.figures;

import org.jspecify.annotations.NullMarked;
