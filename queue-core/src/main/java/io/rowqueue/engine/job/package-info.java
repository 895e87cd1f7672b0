/**
 * Stores and reads jobs, from the enqueue until a worker claims them.
 */
@NullMarked
package io.rowqueue.engine.job;

import org.jspecify.annotations.NullMarked;
