package io.rowqueue.autoconfigure;

import java.time.Duration;
import java.util.function.Supplier;

/**
 * The age of the first job of an outbox that has not arrived at another shard. Only the
 * context of an outbox has such a bean.
 *
 * @param value returns the age from memory; zero if all jobs have arrived
 */
public record OutboxAge(Supplier<Duration> value) {
}
