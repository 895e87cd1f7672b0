/**
 * Recurring jobs: when they are due, what happens to missed and overlapping runs, and
 * their administration.
 */
@NullMarked
package io.rowqueue.schedule;

import org.jspecify.annotations.NullMarked;
