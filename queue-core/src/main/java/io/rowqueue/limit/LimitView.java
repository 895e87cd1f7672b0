package io.rowqueue.limit;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A snapshot of a limit and its current use.
 *
 * @param kind what the limit applies to
 * @param name the queue, the type, the class of keys, or a whole key
 * @param limit the limit
 * @param setManually whether the limit was set with {@link JobLimits#set}, and takes
 * precedence over properties
 * @param changedAt when the limit was set, by the database's clock
 * @param held how many jobs count for the concurrency, or of a limit key how many units
 * they have; {@code null} for a class of keys and a key that no job uses
 * @param tokens how many jobs could start now, or {@code null} for limits without a rate,
 * classes of keys and keys that no job uses
 */
public record LimitView(LimitKind kind, String name, Limit limit, boolean setManually, Instant changedAt,
		@Nullable Integer held, @Nullable Integer tokens) {

}
