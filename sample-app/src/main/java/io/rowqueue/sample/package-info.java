/**
 * A small application that uses the job queue.
 */
@NullMarked
package io.rowqueue.sample;

import org.jspecify.annotations.NullMarked;
