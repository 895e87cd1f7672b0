/**
 * Explains why a job is not running: one verdict and the facts that it follows from.
 */
@NullMarked
package io.pgqueue.engine.explain;

import org.jspecify.annotations.NullMarked;
