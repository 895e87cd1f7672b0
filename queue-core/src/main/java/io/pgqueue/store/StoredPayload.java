package io.pgqueue.store;

import org.jspecify.annotations.Nullable;

/**
 * A payload that was left in the database until its job runs.
 *
 * @param bytes how long it is
 * @param json the payload; {@code null}: it is longer than what was asked for
 */
public record StoredPayload(int bytes, @Nullable String json) {

}
