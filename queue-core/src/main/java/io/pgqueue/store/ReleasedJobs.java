package io.pgqueue.store;

import java.util.Set;

/**
 * Jobs that waited for others and can run now.
 *
 * @param queues the queues that have some; "": some have to be let in by a limit first
 * @param more whether there was more to do than one statement does
 */
public record ReleasedJobs(Set<String> queues, boolean more) {

}
