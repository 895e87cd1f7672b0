package io.pgqueue.engine.lease;

/**
 * The ordered stream that a claim reads: the queued jobs of one queue, type and priority
 * by their deadline.
 *
 * @param queue the queue
 * @param type the type
 * @param priority a bigger number goes first
 */
public record Lane(String queue, String type, int priority) {

}
