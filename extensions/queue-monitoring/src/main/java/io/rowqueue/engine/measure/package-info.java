/**
 * Measures the queue for meters and health, within a bounded cost.
 */
@NullMarked
package io.rowqueue.engine.measure;

import org.jspecify.annotations.NullMarked;
