/**
 * Recurring jobs: when they are due, what happens to missed and overlapping runs, and
 * their administration.
 */
@NullMarked
package io.pgqueue.schedule;

import org.jspecify.annotations.NullMarked;
