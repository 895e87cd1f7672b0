/**
 * Records figures over time.
 */
@NullMarked
package io.rowqueue.autoconfigure.figures;

import org.jspecify.annotations.NullMarked;
