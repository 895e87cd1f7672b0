package io.pgqueue.store;

import java.util.Collection;

/**
 * What a worker says of itself when it registers.
 *
 * @param name for people: host and process
 * @param queues the queues that it works for
 * @param types the types that it can run
 */
public record WorkerIdentity(String name, Collection<String> queues, Collection<String> types) {

}
