/**
 * Recurring jobs: which are declared, when they are due, and that each due time is
 * enqueued once.
 */
@NullMarked
package io.pgqueue.schedule;

import org.jspecify.annotations.NullMarked;
