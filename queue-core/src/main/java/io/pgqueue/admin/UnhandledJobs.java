package io.pgqueue.admin;

import java.time.Instant;

/**
 * Due jobs that wait because no living worker can run them: none has a handler for their
 * type and slots for their queue.
 *
 * @param queue the queue
 * @param type the type
 * @param jobs how many; {@value JobCount#MAX_COUNT} stands for as many or more
 * @param since when the first of them was due, by the database's clock
 */
public record UnhandledJobs(String queue, String type, long jobs, Instant since) {

}
