/**
 * Changes of jobs that are enqueued: cancel, retry, reschedule, erase; and pauses.
 */
@NullMarked
package io.rowqueue.control;

import org.jspecify.annotations.NullMarked;
