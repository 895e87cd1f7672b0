/**
 * Stores schedules, and enqueues a job for each due time once.
 */
@NullMarked
package io.rowqueue.engine.schedule;

import org.jspecify.annotations.NullMarked;
