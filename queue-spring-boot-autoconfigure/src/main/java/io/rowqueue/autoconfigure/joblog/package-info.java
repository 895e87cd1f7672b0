/**
 * Keeps what handlers log with the application's logging library with the job.
 */
@NullMarked
package io.rowqueue.autoconfigure.joblog;

import org.jspecify.annotations.NullMarked;
