/**
 * Observations of enqueues and attempts with Micrometer.
 */
@NullMarked
package io.pgqueue.observation;

import org.jspecify.annotations.NullMarked;
