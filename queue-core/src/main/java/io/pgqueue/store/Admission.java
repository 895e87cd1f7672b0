package io.pgqueue.store;

import java.time.Duration;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * What came of letting jobs with limit keys in.
 *
 * @param queues the queues that have new jobs to claim
 * @param moved how many jobs were found due and now wait for their key or have it
 * @param again how long from now the next token of a key comes; {@code null}: no job
 * waits for one
 */
public record Admission(Set<String> queues, int moved, @Nullable Duration again) {

	/** Whether there is more to do at once. */
	public boolean unfinished() {
		return this.moved == LimitStore.BATCH;
	}

}
