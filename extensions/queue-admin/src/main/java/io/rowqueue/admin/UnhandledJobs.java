package io.rowqueue.admin;

import java.time.Instant;

/**
 * Due jobs that wait because no live worker has a handler for their type and slots for
 * their queue.
 *
 * @param queue the queue
 * @param type the type
 * @param jobs the number of jobs; {@value JobCount#MAX_COUNT} means this number or more
 * @param since when the first of them was due, by the database's clock
 */
public record UnhandledJobs(String queue, String type, long jobs, Instant since) {

}
