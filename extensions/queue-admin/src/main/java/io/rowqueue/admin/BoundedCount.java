package io.rowqueue.admin;

/**
 * The number of jobs that a filter selects, counted up to a bound.
 *
 * @param value the number of jobs that were counted
 * @param exact whether this is the exact number; otherwise there may be more
 * @since 0.1.0
 */
public record BoundedCount(long value, boolean exact) {

}
