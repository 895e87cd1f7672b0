/**
 * Figures over time: what ended, failed and waited, by minute and by hour.
 */
@NullMarked
package io.rowqueue.dashboard.api.figures;

import org.jspecify.annotations.NullMarked;
