package io.pgqueue.store;

import java.time.Duration;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * What came of letting jobs with limit keys in.
 *
 * @param queues the queues that have new jobs to claim
 * @param unfinished whether there is more to do at once
 * @param again how long from now the next token of a key comes; {@code null}: no job
 * waits for one
 */
public record Admission(Set<String> queues, boolean unfinished, @Nullable Duration again) {

}
