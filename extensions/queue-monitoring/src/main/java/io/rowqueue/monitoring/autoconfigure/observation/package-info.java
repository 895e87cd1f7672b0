/**
 * Observations and traces of jobs.
 */
@NullMarked
package io.rowqueue.monitoring.autoconfigure.observation;

import org.jspecify.annotations.NullMarked;
