/**
 * What became of a job.
 */
@NullMarked
package io.pgqueue.sample.job;

import org.jspecify.annotations.NullMarked;
