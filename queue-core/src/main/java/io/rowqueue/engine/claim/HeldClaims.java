package io.rowqueue.engine.claim;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

import io.rowqueue.engine.attempt.ActiveJob;
import io.rowqueue.engine.lease.ClaimStore.Claimed;

/**
 * Counts how many jobs of each claim the worker still holds, so that the next claim
 * deletes the rows of those of which it holds none. A job counts until its outcome is in
 * the database: a row that is deleted too early would hide the job from recovery. What is
 * not deleted here is deleted when {@link UnknownLeases} looks. Thread-safe.
 */
final class HeldClaims {

	private final Map<Long, AtomicInteger> held = new ConcurrentHashMap<>();

	private final Queue<Long> ended = new ConcurrentLinkedQueue<>();

	/** These jobs were claimed; to be called before any of them can end. */
	void add(Claimed claimed) {
		if (!claimed.jobs().isEmpty()) {
			this.held.put(claimed.claimId(), new AtomicInteger(claimed.jobs().size()));
		}
	}

	/** The outcome of the job is in the database. */
	void ended(ActiveJob job) {
		long claimId = job.job().claimId();
		AtomicInteger left = this.held.get(claimId);
		if (left != null && job.endLease() && left.decrementAndGet() == 0) {
			this.held.remove(claimId);
			this.ended.add(claimId);
		}
	}

	/** Takes the claims that have ended since the last call. */
	List<Long> takeEnded() {
		List<Long> taken = new ArrayList<>();
		for (Long claim = this.ended.poll(); claim != null; claim = this.ended.poll()) {
			taken.add(claim);
		}
		return taken;
	}

}
