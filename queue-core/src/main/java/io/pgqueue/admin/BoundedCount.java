package io.pgqueue.admin;

/**
 * How many jobs a filter selects, as far as counting went.
 *
 * @param value how many were counted
 * @param exact whether these are all; otherwise there may be more
 * @since 0.1.0
 */
public record BoundedCount(long value, boolean exact) {

}
