package io.pgqueue.autoconfigure.endpoint;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * What the endpoint is asked to do.
 *
 * @param kind {@code jobs}, {@code queues}, {@code types}, {@code keys},
 * {@code schedules} or {@code windows}
 * @param name an id or a name
 * @param action what to do
 * @param reason why it is paused
 * @param delay how long from now it is due
 * @param priority a bigger number goes first
 * @param limit such as {@code 5}, {@code 100/1m}, or both with a comma
 */
record OperationRequest(String kind, String name, String action, @Nullable String reason, @Nullable Duration delay,
		@Nullable Integer priority, @Nullable String limit) {

}
