package io.pgqueue.engine.worker;

import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

import io.pgqueue.engine.lease.ClaimStore.Claimed;

/**
 * The claims that other threads do for the one that claims, each on a session of its own.
 * They do not wait for each other: what one brings is at the slots before anybody asks
 * for it here. Places in the pool are reserved for what they may bring. Used by the
 * thread that claims.
 */
final class ClaimsUnderWay {

	/** The most at a time, and so the sessions that they take. */
	static final int MOST = 2;

	private final Executor executor;

	private final Runnable back;

	private final List<UnderWay> claims = new CopyOnWriteArrayList<>();

	/**
	 * Creates it with none.
	 * @param executor does them
	 * @param back called by another thread when one has ended
	 */
	ClaimsUnderWay(Executor executor, Runnable back) {
		this.executor = executor;
		this.back = back;
	}

	boolean isEmpty() {
		return this.claims.isEmpty();
	}

	/** Whether one is under way for the pool. */
	boolean hasOneFor(Pool pool) {
		return this.claims.stream().anyMatch((claim) -> claim.pool == pool);
	}

	/** Whether there are as many as there may be; for any thread. */
	boolean isFull() {
		return this.claims.size() >= MOST;
	}

	/**
	 * Begins one.
	 * @param most how many jobs it may bring
	 * @param statement claims, and brings the jobs to the pool
	 * @param learn told what it has brought, by the thread that claims
	 */
	void begin(Pool pool, int most, Callable<Claimed> statement, Consumer<Claimed> learn) {
		Aside<Claimed> answer = new Aside<>(this.executor, this.back);
		answer.begin(statement);
		pool.jobs().reserve(most);
		this.claims.add(new UnderWay(pool, most, answer, learn));
	}

	/** Learns from those that have ended, or throws what the first of them threw. */
	void takeEnded() throws InterruptedException {
		for (UnderWay claim : this.claims) {
			if (claim.answer.isReady()) {
				take(claim);
			}
		}
	}

	/** Tells whether those have ended that are under way now. */
	BooleanSupplier end() {
		List<UnderWay> now = List.copyOf(this.claims);
		return () -> Collections.disjoint(this.claims, now);
	}

	private void take(UnderWay claim) throws InterruptedException {
		Claimed claimed;
		try {
			claimed = claim.answer.take();
		}
		finally {
			this.claims.remove(claim);
			claim.pool.jobs().reserve(-claim.most);
		}
		claim.learn.accept(claimed);
	}

	private record UnderWay(Pool pool, int most, Aside<Claimed> answer, Consumer<Claimed> learn) {

	}

}
