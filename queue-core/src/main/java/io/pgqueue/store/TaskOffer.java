package io.pgqueue.store;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * A task that a process offers to run.
 *
 * @param name names its row
 * @param interval the time from one run to the next, in the whole cluster
 * @param due when it has something to do, beside that; {@code null}: always
 * @param insists whether it is run even if there seems to be nothing to do
 */
public record TaskOffer(String name, Duration interval, @Nullable WhenDue due, boolean insists) {

}
