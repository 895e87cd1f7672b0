/**
 * A small application that uses the job queue.
 */
@NullMarked
package io.pgqueue.sample;

import org.jspecify.annotations.NullMarked;
