package io.pgqueue.store;

/**
 * Jobs that waited for others and can run now.
 *
 * @param arrivals those that can be claimed or admitted
 * @param more whether there was more to do than one statement does
 */
public record ReleasedJobs(Arrivals arrivals, boolean more) {

}
