/**
 * Records figures over time.
 */
@NullMarked
package io.rowqueue.monitoring.autoconfigure.figures;

import org.jspecify.annotations.NullMarked;
