package io.pgqueue.store;

/**
 * Scheduled jobs that became due.
 *
 * @param queue their queue
 * @param jobs how many
 */
public record PromotedJobs(String queue, int jobs) {

}
