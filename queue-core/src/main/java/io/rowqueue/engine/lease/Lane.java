package io.rowqueue.engine.lease;

/**
 * The queued jobs of one queue, type and priority, which claims read in the order of
 * their deadlines.
 *
 * @param queue the queue
 * @param type the type
 * @param priority the priority; jobs with a higher number start first
 */
public record Lane(String queue, String type, int priority) {

}
