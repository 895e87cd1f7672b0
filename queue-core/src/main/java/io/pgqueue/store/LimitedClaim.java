package io.pgqueue.store;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What a claim under limits brought.
 *
 * @param jobs the most urgent first
 * @param again how long from now there may be more: a token comes, or another worker has
 * done with the limit; {@code null}: not before a job ends or arrives
 */
public record LimitedClaim(List<ClaimedJob> jobs, @Nullable Duration again) {

	/** It was not worth asking. */
	public static final LimitedClaim NOTHING = new LimitedClaim(List.of(), null);

}
