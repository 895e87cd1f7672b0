package io.pgqueue.store;

import java.util.List;

/**
 * What a claim brought.
 *
 * @param jobs the most urgent first; fewer than asked for when there are no more
 * @param touched whether another transaction had locked any of them before and let it go;
 * never true if only untouched ones were asked for
 * @param claimId names it in {@link Claim#over()}, once none of its jobs is held any
 * more; 0: it brought nothing
 */
public record Claimed(List<ClaimedJob> jobs, boolean touched, long claimId) {

}
