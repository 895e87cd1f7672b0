package io.pgqueue.worker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;

import io.pgqueue.Coalescing;
import io.pgqueue.store.Claim;
import io.pgqueue.store.Claim.PoolLane;
import io.pgqueue.store.ClaimedJob;
import io.pgqueue.store.JobStore;
import io.pgqueue.support.Every;
import io.pgqueue.support.Times;

/**
 * Claims jobs whenever a pool has room and may get some, and does nothing otherwise. A
 * claim that came back full is followed by the next; one that came back short by a sweep,
 * which finds what is outside the lanes known so far; and when that finds nothing, by
 * silence until a wake-up or the next poll.
 * <p>
 * Sweeps that have become slow, as they do while dead rows cannot be removed, are done
 * beside the claims and do not hold them up.
 */
final class Claimer {

	private final BroadClaim claims;

	private final OpenClaims open = new OpenClaims();

	private final long workerId;

	private final Pools pools;

	private final Lanes lanes;

	private final LanesApart apart;

	private final TypeLimits limits;

	private final Dispatcher dispatcher;

	private final Every poll;

	private final Signal signal = new Signal();

	/** Pools that got less than they wanted from lanes that were not swept since. */
	private final Set<Pool> hungry = new HashSet<>();

	private final Aside<Lanes.Look> looking;

	/**
	 * Creates the claimer.
	 * @param coalescing the types whose jobs are run together
	 * @param asides do what is done beside the claims
	 */
	Claimer(JobStore store, long workerId, Pools pools, Lanes lanes, TypeLimits limits, Dispatcher dispatcher,
			Duration pollInterval, Map<String, Coalescing> coalescing, Executor asides) {
		this.claims = new BroadClaim((claim) -> this.open.add(store.claim(claim)), asides, this::rescue);
		this.workerId = workerId;
		this.pools = pools;
		this.lanes = lanes;
		this.apart = new LanesApart(store, workerId, pools, lanes, coalescing, this.open);
		this.limits = limits;
		this.dispatcher = dispatcher;
		this.poll = new Every(pollInterval);
		this.looking = new Aside<>(asides, this.signal::raise);
	}

	/** The queues have new jobs. */
	void jobsArrived(Collection<String> queues) {
		this.pools.expectJobs(queues);
		this.signal.raise();
	}

	/** A job of this type has left its slot of the pool. */
	void slotFreed(Pool pool, String type) {
		if (this.limits.isCut(type)) {
			this.pools.each(Pool::expectMore);
			this.signal.raise();
		}
		else if (pool.expectsJobs() && pool.wanted() > 0) {
			this.signal.raise();
		}
	}

	/**
	 * What became of the job is committed. Returns whether that made room under a limit
	 * for which no slot is free here.
	 */
	boolean ended(ActiveJob job) {
		this.open.ended(job);
		if (!this.apart.ended(job)) {
			return false;
		}
		this.signal.raise();
		return this.pools.of(job.queue()).filter((pool) -> pool.wanted() > 0).isEmpty();
	}

	/** There may be jobs on any queue. */
	void lookAgain() {
		this.pools.each(Pool::expectJobs);
		this.signal.raise();
	}

	/** Looks again at whether to claim. */
	void reconsider() {
		this.signal.raise();
	}

	/** Claims once, or waits for a reason to, but not longer than that. */
	void turn(Duration longest) throws InterruptedException {
		takeLook();
		if (this.poll.isDue()) {
			this.pools.each(this.hungry::add);
		}
		Duration untilSweep = this.lanes.untilSweep();
		boolean sweep = this.lanes.isSweepDue();
		if (this.looking.isBusy()) {
			sweep = false;
		}
		else if (this.lanes.isSlow()) {
			lookAside(sweep, untilSweep);
			sweep = false;
		}
		else if (!this.hungry.isEmpty() && untilSweep.isZero()) {
			sweep = true;
			this.hungry.forEach(Pool::expectJobs);
		}
		if (this.apart.isDue()) {
			this.pools.each(Pool::expectMore);
		}
		Map<Pool, Integer> wanted = wanted();
		if (wanted.isEmpty()) {
			this.signal.await(this.apart.pause(Times.shorter(longest, pause(untilSweep))));
			return;
		}
		Set<Pool> anywhere = wanted.keySet().stream().filter(Pool::beginClaim).collect(Collectors.toSet());
		try {
			claim(wanted, anywhere, sweep);
		}
		catch (RuntimeException ex) {
			wanted.keySet().forEach(Pool::expectJobs);
			throw ex;
		}
	}

	private Map<Pool, Integer> wanted() {
		return this.dispatcher.isBehind() ? Map.of() : this.pools.wanted();
	}

	private void takeLook() throws InterruptedException {
		if (!this.looking.isReady()) {
			return;
		}
		try {
			this.lanes.take(this.looking.take());
		}
		catch (RuntimeException ex) {
			this.pools.each(this.hungry::add);
			throw ex;
		}
		swept();
		this.pools.each(Pool::expectMore);
	}

	/** Those that are hungry are not once it is done, unless something arrives. */
	private void lookAside(boolean due, Duration untilSweep) {
		boolean room = this.hungry.stream().anyMatch((pool) -> pool.wanted() > 0);
		if ((room && untilSweep.isZero()) || (due && !wanted().isEmpty())) {
			this.looking.begin(this.lanes::look);
			this.hungry.clear();
		}
	}

	private void claim(Map<Pool, Integer> wanted, Set<Pool> anywhere, boolean sweep) throws InterruptedException {
		if (sweep) {
			this.lanes.sweep();
			swept();
		}
		Map<String, Integer> free = new LinkedHashMap<>();
		wanted.forEach((pool, jobs) -> free.put(pool.name(), jobs));
		List<PoolLane> all = this.lanes.of(wanted.keySet(), this.pools);
		List<PoolLane> heads = this.limits.allot(all, this.pools);
		List<ClaimedJob> jobs = this.apart.isEmpty() ? claim(free, heads) : claimWithThoseApart(free, heads);
		Map<Pool, List<ClaimedJob>> claimed = byPool(jobs, wanted.keySet());
		dispatch(claimed);
		Set<String> fullPools = new HashSet<>();
		wanted.forEach((pool, most) -> {
			boolean full = claimed.getOrDefault(pool, List.of()).size() >= most;
			if (full) {
				fullPools.add(pool.name());
				pool.expectJobs();
			}
			if (full || sweep) {
				this.hungry.remove(pool);
			}
			else if (anywhere.contains(pool)) {
				this.hungry.add(pool);
			}
		});
		if (!this.limits.learn(all, heads, jobs, fullPools).isEmpty()) {
			wanted.keySet().forEach(Pool::expectMore);
		}
		this.lanes.claimed(jobs);
	}

	private void swept() {
		this.claims.swept();
		this.limits.swept();
	}

	private List<ClaimedJob> claim(Map<String, Integer> free, List<PoolLane> heads) throws InterruptedException {
		return this.claims.execute(new Claim(this.workerId, free, heads).dropping(this.open.takeOver()));
	}

	private void rescue(List<ClaimedJob> jobs) {
		dispatch(byPool(jobs, this.pools.all().collect(Collectors.toSet())));
	}

	private void dispatch(Map<Pool, List<ClaimedJob>> claimed) {
		claimed.forEach((pool, own) -> this.dispatcher.dispatch(pool, own, this.lanes::urgency));
	}

	private List<ClaimedJob> claimWithThoseApart(Map<String, Integer> free, List<PoolLane> heads)
			throws InterruptedException {
		List<ClaimedJob> jobs = new ArrayList<>();
		try {
			this.apart.claimUrgent(heads, jobs);
			Map<String, Integer> left = new LinkedHashMap<>(free);
			jobs.forEach((job) -> left.computeIfPresent(this.pools.of(job.queue()).map(Pool::name).orElse(""),
					(pool, most) -> Math.max(0, most - 1)));
			jobs.addAll(claim(left, this.apart.without(heads)));
			this.apart.claimRest(heads, jobs);
			return jobs;
		}
		catch (Throwable ex) { // what earlier statements brought is committed
			rescue(jobs);
			throw ex;
		}
	}

	private Map<Pool, List<ClaimedJob>> byPool(List<ClaimedJob> jobs, Set<Pool> pools) {
		if (pools.size() == 1) {
			return jobs.isEmpty() ? Map.of() : Map.of(pools.iterator().next(), jobs);
		}
		return jobs.stream().collect(Collectors.groupingBy((job) -> this.pools.of(job.queue()).orElseThrow()));
	}

	/** A pool that may sweep now has no room: the slot that becomes free will tell. */
	private Duration pause(Duration untilSweep) {
		Duration untilPoll = this.poll.remaining();
		return (this.hungry.isEmpty() || untilSweep.isZero()) ? untilPoll : Times.shorter(untilSweep, untilPoll);
	}

}
