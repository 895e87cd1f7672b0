package io.pgqueue.engine.worker;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

import io.pgqueue.engine.lease.ClaimStore.Claimed;

/**
 * Counts how many jobs of each claim are still held, so that the next claim drops those
 * that are over. A lease counts until it is known that what became of its job is in the
 * database: what is dropped too early would hide a job from those who recover it, what is
 * not dropped here is when {@link ForgottenJobs} looks. Thread-safe.
 */
final class OpenClaims {

	private final Map<Long, AtomicInteger> held = new ConcurrentHashMap<>();

	private final Queue<Long> over = new ConcurrentLinkedQueue<>();

	/** These jobs were claimed; to be called before any of them can end. */
	void add(Claimed claimed) {
		if (!claimed.jobs().isEmpty()) {
			this.held.put(claimed.claimId(), new AtomicInteger(claimed.jobs().size()));
		}
	}

	/** What became of the job is in the database. */
	void ended(ActiveJob job) {
		long claimId = job.job().claimId();
		AtomicInteger left = this.held.get(claimId);
		if (left != null && job.endLease() && left.decrementAndGet() == 0) {
			this.held.remove(claimId);
			this.over.add(claimId);
		}
	}

	/** The claims that have come to their end since it was asked last. */
	List<Long> takeOver() {
		List<Long> taken = new ArrayList<>();
		for (Long claim = this.over.poll(); claim != null; claim = this.over.poll()) {
			taken.add(claim);
		}
		return taken;
	}

}
