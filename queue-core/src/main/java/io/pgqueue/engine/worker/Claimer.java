package io.pgqueue.engine.worker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

import io.pgqueue.Coalescing;
import io.pgqueue.engine.lease.Claim;
import io.pgqueue.engine.lease.Claim.PoolLane;
import io.pgqueue.engine.lease.ClaimStore.Claimed;
import io.pgqueue.engine.lease.ClaimedJob;
import io.pgqueue.engine.support.Every;
import io.pgqueue.engine.support.Times;

/**
 * Claims jobs whenever a pool has room and may get some, and does nothing otherwise. A
 * claim that came back full is followed by the next, or by several beside each other
 * while there is plenty; one that came back short by a sweep, which finds what is outside
 * the lanes known so far; and when that finds nothing, by silence until a wake-up or the
 * next poll.
 * <p>
 * Sweeps that have become slow, as they do while dead rows cannot be removed, are done
 * beside the claims and do not hold them up.
 */
final class Claimer implements SlotListener {

	private final Intake intake;

	private final LatestClaim latest = new LatestClaim();

	private final ClaimsUnderWay underWay;

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
	Claimer(ClaimDatabase database, long workerId, Pools pools, Lanes lanes, TypeLimits limits, Dispatcher dispatcher,
			Duration pollInterval, Map<String, Coalescing> coalescing, Executor asides) {
		this.intake = new Intake(database.claims(), pools, lanes, dispatcher);
		this.underWay = new ClaimsUnderWay(asides, this.signal::raise);
		this.workerId = workerId;
		this.pools = pools;
		this.lanes = lanes;
		this.apart = new LanesApart(database.lanes(), this.intake, workerId, pools, lanes, coalescing);
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

	@Override
	public void slotFreed(Pool pool, String type) {
		if (this.limits.isCut(type)) {
			this.pools.each(Pool::expectMore);
			this.signal.raise();
		}
		else if (this.apart.isCut(pool)) {
			pool.expectMore();
			this.signal.raise();
		}
		else {
			slotTaken(pool);
		}
	}

	@Override
	public void slotTaken(Pool pool) {
		if (pool.expectsJobs() && pool.wanted() > 0 && !this.underWay.isFull()) {
			this.signal.raise();
		}
	}

	/**
	 * What became of the job is committed. Returns whether that made room under a limit
	 * for which no slot is free here.
	 */
	boolean ended(ActiveJob job) {
		this.intake.ended(job);
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
		try {
			takeLook();
			this.underWay.takeEnded();
			claimOrWait(longest);
		}
		catch (RuntimeException ex) {
			failed();
			throw ex;
		}
	}

	/** Tells whether the claims have ended that are under way now. */
	BooleanSupplier endOfThoseUnderWay() {
		return this.underWay.end();
	}

	private void claimOrWait(Duration longest) throws InterruptedException {
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
		if (sweep) {
			this.lanes.sweep();
			swept();
			this.hungry.removeAll(wanted.keySet());
		}
		claim(new Round(wanted, anywhere, sweep, this.lanes.sweeps()));
	}

	/** The next turn claims, and learns whether the database is back. */
	private void failed() {
		this.latest.failed();
		this.pools.each(Pool::expectJobs);
	}

	private Map<Pool, Integer> wanted() {
		if (this.dispatcher.isBehind() || this.underWay.isFull()) {
			return Map.of();
		}
		Map<Pool, Integer> wanted = this.pools.wanted();
		if (this.latest.wasShort()) {
			wanted.keySet().removeIf(this.underWay::hasOneFor); // these tell what there
																// is
		}
		return wanted;
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

	/**
	 * Those that are hungry are not once it is done, unless something arrives. Where none
	 * of them has room for what it finds, the slot that becomes free tells.
	 */
	private void lookAside(boolean due, Duration untilSweep) {
		boolean room = this.hungry.stream().anyMatch((pool) -> pool.wanted() > 0);
		if (untilSweep.isZero() && !room) {
			this.hungry.forEach(Pool::expectMore);
		}
		if ((room && untilSweep.isZero()) || (due && !wanted().isEmpty())) {
			this.looking.begin(this.lanes::look);
			this.hungry.clear();
		}
	}

	private void claim(Round round) {
		List<PoolLane> all = this.lanes.of(round.wanted.keySet(), this.pools);
		List<PoolLane> heads = this.limits.allot(all, this.pools);
		Map<String, Integer> free = new LinkedHashMap<>();
		round.wanted.forEach((pool, jobs) -> free.put(pool.name(), jobs));
		Claim claim = new Claim(this.workerId, free, heads);
		if (this.apart.isEmpty() && this.latest.isWorthASession(claim)) {
			Map.Entry<Pool, Integer> only = round.wanted.entrySet().iterator().next();
			beginClaim(round, only.getKey(), only.getValue(), next(claim));
			return;
		}
		List<ClaimedJob> jobs = this.apart.isEmpty() ? claim(claim) : claimWithThoseApart(claim);
		Set<String> fullPools = learn(round, jobs).stream().map(Pool::name).collect(Collectors.toSet());
		if (!this.limits.learn(all, heads, jobs, fullPools).isEmpty()) {
			round.wanted.keySet().forEach(Pool::expectMore);
		}
	}

	private void beginClaim(Round round, Pool pool, int most, Claim claim) {
		this.underWay.begin(pool, most, () -> this.intake.claim(claim), (claimed) -> {
			this.latest.was(claim, claimed);
			if (round.sweeps != this.lanes.sweeps()) { // it began before: a look has
														// found what it passed over
				this.latest.swept();
			}
			learn(round, claimed.jobs());
		});
		pool.expectMore(); // as long as there is plenty
	}

	private void swept() {
		this.latest.swept();
		this.limits.swept();
	}

	private List<ClaimedJob> claim(Claim claim) {
		if (claim.lanes().isEmpty()) {
			return List.of();
		}
		Claim next = next(claim);
		Claimed claimed = this.intake.claim(next);
		this.latest.was(next, claimed);
		return claimed.jobs();
	}

	private Claim next(Claim claim) {
		return this.latest.next(claim).dropping(this.intake.takeOver());
	}

	private List<ClaimedJob> claimWithThoseApart(Claim claim) {
		List<ClaimedJob> jobs = new ArrayList<>(this.apart.claimUrgent(claim.lanes()));
		Map<String, Integer> left = new LinkedHashMap<>(claim.room());
		subtract(jobs, left);
		List<ClaimedJob> ordinary = claim(new Claim(this.workerId, left, this.apart.without(claim.lanes())));
		jobs.addAll(ordinary);
		subtract(ordinary, left);
		Set<String> full = left.keySet()
			.stream()
			.filter((pool) -> left.getOrDefault(pool, 0) == 0)
			.collect(Collectors.toSet());
		jobs.addAll(this.apart.claimRest(claim.lanes(), full));
		return jobs;
	}

	private void subtract(List<ClaimedJob> jobs, Map<String, Integer> left) {
		this.pools.byPool(jobs)
			.forEach((pool, own) -> left.computeIfPresent(pool.name(), (name, most) -> Math.max(0, most - own.size())));
	}

	/** Returns the pools that got as much as they wanted. */
	private Set<Pool> learn(Round round, List<ClaimedJob> jobs) {
		Map<Pool, List<ClaimedJob>> got = this.pools.byPool(jobs);
		Set<Pool> full = new HashSet<>();
		round.wanted.forEach((pool, most) -> {
			if (got.getOrDefault(pool, List.of()).size() >= most) {
				full.add(pool);
				pool.expectJobs();
				this.hungry.remove(pool);
			}
			else if (!round.swept && round.anywhere.contains(pool)) {
				this.hungry.add(pool);
			}
		});
		if (round.sweeps == this.lanes.sweeps()) {
			this.lanes.claimed(jobs);
		}
		return full;
	}

	/** A pool that may sweep now has no room: the slot that becomes free will tell. */
	private Duration pause(Duration untilSweep) {
		Duration untilPoll = this.poll.remaining();
		return (this.hungry.isEmpty() || untilSweep.isZero()) ? untilPoll : Times.shorter(untilSweep, untilPoll);
	}

	/**
	 * What was known when a claim began.
	 *
	 * @param wanted how many jobs each pool had room for
	 * @param anywhere those that may get some from lanes which are not known
	 * @param swept whether the lanes were swept just then
	 * @param sweeps how often they had been swept
	 */
	private record Round(Map<Pool, Integer> wanted, Set<Pool> anywhere, boolean swept, int sweeps) {

	}

}
