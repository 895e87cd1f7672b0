/**
 * Runs one attempt of a job: whether it takes place, the call of the handler, and how it
 * ended.
 */
@NullMarked
package io.rowqueue.engine.attempt;

import org.jspecify.annotations.NullMarked;
