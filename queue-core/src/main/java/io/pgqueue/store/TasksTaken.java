package io.pgqueue.store;

import java.time.Duration;
import java.util.Set;

/**
 * What a process is to do of the tasks that it offered.
 *
 * @param names the tasks that it runs now, and nobody else
 * @param pause when it is to ask again
 */
public record TasksTaken(Set<String> names, Duration pause) {

}
