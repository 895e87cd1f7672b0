/**
 * Observations of enqueues and attempts, for whoever has Micrometer Observation.
 */
@NullMarked
package io.pgqueue.observation;

import org.jspecify.annotations.NullMarked;
