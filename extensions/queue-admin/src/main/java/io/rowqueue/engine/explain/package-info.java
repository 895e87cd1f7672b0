/**
 * Explains why a job is not running: a verdict, and the facts that led to it.
 */
@NullMarked
package io.rowqueue.engine.explain;

import org.jspecify.annotations.NullMarked;
