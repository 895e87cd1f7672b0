package io.rowqueue.admin;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A snapshot of a flow.
 *
 * @param id the id
 * @param name the name
 * @param state the state
 * @param createdAt when the flow was enqueued, by the database's clock
 * @param endedAt when its last job finished, or {@code null}
 * @param jobs how many jobs the flow has
 * @param open how many of them have not finished
 * @param succeeded how many have succeeded
 * @param failed how many have failed permanently
 * @param cancelled how many were cancelled
 */
public record FlowView(long id, String name, FlowState state, Instant createdAt, @Nullable Instant endedAt, int jobs,
		int open, int succeeded, int failed, int cancelled) {

}
