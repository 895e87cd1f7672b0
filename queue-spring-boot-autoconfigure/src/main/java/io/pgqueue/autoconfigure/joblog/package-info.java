/**
 * Keeps what handlers log with the application's logging library with the job.
 */
@NullMarked
package io.pgqueue.autoconfigure.joblog;

import org.jspecify.annotations.NullMarked;
