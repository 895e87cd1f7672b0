package io.pgqueue.store;

import org.jspecify.annotations.Nullable;

/**
 * What a step of a flow returned.
 *
 * @param known whether the flow has such a step
 * @param json the result as JSON; {@code null}: none, or it has not succeeded
 */
public record StepResult(boolean known, @Nullable String json) {

}
