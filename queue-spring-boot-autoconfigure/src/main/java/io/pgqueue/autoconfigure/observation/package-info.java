/**
 * Observations and traces of jobs.
 */
@NullMarked
package io.pgqueue.autoconfigure.observation;

import org.jspecify.annotations.NullMarked;
