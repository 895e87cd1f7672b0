package io.rowqueue.engine.claim;

import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

import io.rowqueue.engine.lease.ClaimStore.Claimed;
import io.rowqueue.engine.slot.Pool;

/**
 * The claims that other threads execute for the one that claims, each on a connection of
 * its own. They do not wait for each other: the jobs of one are at the slots before the
 * claiming thread learns from it. Used by the thread that claims, except where it says
 * otherwise.
 */
final class BackgroundClaims {

	/**
	 * How many execute at the same time at most, and so how many connections they use.
	 */
	static final int MAX_CONCURRENT = 2;

	private final Executor executor;

	private final Runnable onEnd;

	private final List<BackgroundClaim> claims = new CopyOnWriteArrayList<>();

	/**
	 * Creates it without claims.
	 * @param executor executes them
	 * @param onEnd called by another thread when one has ended
	 */
	BackgroundClaims(Executor executor, Runnable onEnd) {
		this.executor = executor;
		this.onEnd = onEnd;
	}

	boolean isEmpty() {
		return this.claims.isEmpty();
	}

	/** Whether one for the pool executes. */
	boolean hasOneFor(Pool pool) {
		return this.claims.stream().anyMatch((claim) -> claim.pool == pool);
	}

	/** Whether no further one can begin; for any thread. */
	boolean isFull() {
		return this.claims.size() >= MAX_CONCURRENT;
	}

	/**
	 * Begins one.
	 * @param jobs how many jobs it may bring; that many places are reserved, and released
	 * when it has ended
	 * @param statement claims, and brings the jobs to the pool
	 * @param learn called by the claiming thread with the result
	 */
	void begin(Pool pool, int jobs, Callable<Claimed> statement, Consumer<Claimed> learn) {
		Background<Claimed> result = new Background<>(this.executor, this.onEnd);
		result.begin(statement);
		pool.jobs().reservePlaces(jobs);
		this.claims.add(new BackgroundClaim(pool, jobs, result, learn));
	}

	/** Learns from those that have ended, or throws what the first of them threw. */
	void takeEnded() throws InterruptedException {
		for (BackgroundClaim claim : this.claims) {
			if (claim.result.isReady()) {
				take(claim);
			}
		}
	}

	/** Answers whether those have ended that execute now. */
	BooleanSupplier end() {
		List<BackgroundClaim> now = List.copyOf(this.claims);
		return () -> Collections.disjoint(this.claims, now);
	}

	private void take(BackgroundClaim claim) throws InterruptedException {
		Claimed claimed;
		try {
			claimed = claim.result.take();
		}
		finally {
			this.claims.remove(claim);
			claim.pool.jobs().releasePlaces(claim.jobs);
		}
		claim.learn.accept(claimed);
	}

	private record BackgroundClaim(Pool pool, int jobs, Background<Claimed> result, Consumer<Claimed> learn) {

	}

}
