/**
 * Stores the steps that handlers have recorded.
 */
@NullMarked
package io.rowqueue.engine.step;

import org.jspecify.annotations.NullMarked;
