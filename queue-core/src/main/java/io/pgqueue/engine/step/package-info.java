/**
 * Stores the steps that handlers have recorded.
 */
@NullMarked
package io.pgqueue.engine.step;

import org.jspecify.annotations.NullMarked;
