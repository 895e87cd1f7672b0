package io.pgqueue.flow;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A flow.
 *
 * @param id its id
 * @param name its name
 * @param state how it is getting on
 * @param createdAt when it was enqueued, by the database's clock
 * @param endedAt when the last of its jobs was over; {@code null}: not yet
 * @param jobs how many jobs it has
 * @param open how many of them are not over
 * @param succeeded how many have succeeded
 * @param failed how many have failed for good
 * @param cancelled how many were cancelled
 */
public record FlowView(long id, String name, FlowState state, Instant createdAt, @Nullable Instant endedAt, int jobs,
		int open, int succeeded, int failed, int cancelled) {

}
