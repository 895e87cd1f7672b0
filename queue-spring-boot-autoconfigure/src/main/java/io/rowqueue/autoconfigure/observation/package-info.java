/**
 * Observations and traces of jobs.
 */
@NullMarked
package io.rowqueue.autoconfigure.observation;

import org.jspecify.annotations.NullMarked;
