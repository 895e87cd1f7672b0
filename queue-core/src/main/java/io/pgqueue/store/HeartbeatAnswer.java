package io.pgqueue.store;

/**
 * What the database answers to a heartbeat.
 *
 * @param number how many heartbeats of the worker it has taken; those whose answers were
 * lost count
 * @param cancelRequests how often one of its jobs was to be cancelled so far
 */
public record HeartbeatAnswer(long number, int cancelRequests) {

}
