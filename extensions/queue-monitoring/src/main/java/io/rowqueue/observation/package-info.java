/**
 * Observations of enqueues and attempts with Micrometer.
 */
@NullMarked
package io.rowqueue.observation;

import org.jspecify.annotations.NullMarked;
