package io.rowqueue.engine.claim;

import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

import io.rowqueue.engine.attempt.ActiveJob;
import io.rowqueue.engine.attempt.TypeOptions;
import io.rowqueue.engine.claim.LaneChoice.Chosen;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.finish.Finisher;
import io.rowqueue.engine.lease.Claim;
import io.rowqueue.engine.lease.ClaimStore;
import io.rowqueue.engine.lease.ClaimStore.Claimed;
import io.rowqueue.engine.lease.ClaimedJob;
import io.rowqueue.engine.lease.LaneStore;
import io.rowqueue.engine.listen.StoreListener;
import io.rowqueue.engine.slot.Demand;
import io.rowqueue.engine.slot.Pool;
import io.rowqueue.engine.slot.Pools;
import io.rowqueue.engine.slot.SlotListener;
import io.rowqueue.engine.support.Pace;
import io.rowqueue.engine.support.Times;

/**
 * Decides when to claim. Each turn claims once, or sleeps.
 * <p>
 * A turn claims for the pools that have {@link Demand} and room. A pool that a claim has
 * filled has demand again at once. A pool that a claim has not filled needs a sweep,
 * which finds the jobs outside of the lanes known so far. If the sweep finds none, or the
 * claim that follows it does not fill the pool either, the pool has no demand.
 * <p>
 * A turn sleeps until one of these: jobs arrive, a slot becomes free or takes the last
 * waiting job, a background claim or sweep has ended, a pool may have the sweep that it
 * needs, a limit has a place again, or the poll interval has passed.
 * <p>
 * While there are more jobs than a claim brings, claims execute in the background,
 * several beside each other. Slow sweeps, as they are while dead rows cannot be removed,
 * execute in the background, too.
 */
public final class ClaimLoop implements SlotListener {

	private final ClaimExecutor claims;

	private final BackgroundClaims background;

	private final LatestClaim latest = new LatestClaim();

	private final long workerId;

	private final Pools pools;

	private final LaneMap lanes;

	private final OnDemandLanes onDemand;

	private final TypeLimits limits;

	private final LaneChoice choice;

	private final DirectStarts directStarts;

	private final Finisher finisher;

	private final Duration pollInterval;

	private final Pace poll;

	private final IdleTime idle;

	private final UnknownLeases unknown;

	private final WakeFlag wakeFlag = new WakeFlag();

	private final SweepScheduler sweeps;

	/**
	 * Creates the loop.
	 * @param database the database as workers see it
	 * @param listener notified of the claims
	 * @param pollInterval how long the worker waits until it looks for jobs that nobody
	 * has announced, unless it is idle
	 * @param idle when it is
	 * @param executor executes what happens in the background
	 */
	public ClaimLoop(QueueDatabase database, StoreListener listener, long workerId, Pools pools, LaneMap lanes,
			TypeOptions types, Finisher finisher, Duration pollInterval, IdleTime idle, Executor executor) {
		this.claims = new ClaimExecutor(new ClaimStore(database, listener), pools, lanes, types, finisher);
		this.background = new BackgroundClaims(executor, this.wakeFlag::raise);
		this.sweeps = new SweepScheduler(lanes, pools, new Background<>(executor, this.wakeFlag::raise));
		this.workerId = workerId;
		this.pools = pools;
		this.lanes = lanes;
		this.onDemand = new OnDemandLanes(new LaneStore(database), this.claims, workerId, pools, lanes,
				types.coalescing());
		this.limits = new TypeLimits(types.concurrency(), types.callSizes());
		this.choice = new LaneChoice(lanes, this.limits, this.onDemand, pools);
		this.directStarts = new DirectStarts(workerId, pools, this.claims, types.unlimited());
		this.finisher = finisher;
		this.pollInterval = pollInterval;
		this.poll = new Pace(pollInterval);
		this.idle = idle;
		this.unknown = new UnknownLeases(database, workerId, pools, finisher, types, this.directStarts,
				new Background<>(executor, this.wakeFlag::raise));
	}

	/** The queues have new jobs. */
	public void jobsArrived(Collection<String> queues) {
		if (!queues.isEmpty()) {
			this.pools.raise(Demand.Level.ANYWHERE, queues);
			this.wakeFlag.raise();
		}
	}

	@Override
	public void slotFreed(Pool pool, String type) {
		this.idle.used();
		if (this.limits.mayHaveMore(type)) {
			this.pools.raise(Demand.Level.KNOWN_LANES);
			this.wakeFlag.raise();
		}
		else if (this.onDemand.mayHaveMore(pool)) {
			pool.demand().raise(Demand.Level.KNOWN_LANES);
			this.wakeFlag.raise();
		}
		else {
			slotTaken(pool);
		}
	}

	@Override
	public void slotTaken(Pool pool) {
		this.idle.used();
		if (pool.demand().isThere() && pool.room() > 0 && !this.background.isFull()) {
			this.wakeFlag.raise();
		}
	}

	/**
	 * The end of a job is committed.
	 * @return whether that made room under a limit that only other workers can use
	 */
	public boolean ended(ActiveJob job) {
		this.claims.ended(job);
		if (!this.onDemand.ended(job)) {
			return false;
		}
		this.wakeFlag.raise();
		return this.pools.of(job.queue()).filter((pool) -> pool.room() > 0).isEmpty();
	}

	/** Whether jobs like this one are claimed for a slot only. For any thread. */
	public boolean isOnDemand(ActiveJob job) {
		return this.onDemand.isOnDemand(job);
	}

	/** There may be jobs on any queue. */
	public void lookAgain() {
		this.pools.raise(Demand.Level.ANYWHERE);
		this.wakeFlag.raise();
	}

	/** Ends the sleep of the current turn. */
	public void reconsider() {
		this.wakeFlag.raise();
	}

	/** Claims once, or sleeps until there is a reason to claim. */
	public void turn() throws InterruptedException {
		turn(Duration.ofNanos(Long.MAX_VALUE));
	}

	/** The same, and sleeps no longer than that. */
	void turn(Duration longest) throws InterruptedException {
		try {
			if (!this.idle.isNow()) {
				this.unknown.turn(this);
			}
			if (this.sweeps.takeEnded() && !hasFoundNothing()) {
				this.pools.raise(Demand.Level.KNOWN_LANES);
			}
			this.background.takeEnded();
			claimOrSleep(this.idle.isNow() ? longest : Times.shorter(longest, this.unknown.remaining()));
		}
		catch (RuntimeException | Error ex) { // such as that no thread can be started
			// the next turn claims, and so finds out whether the database is back
			this.latest.failed();
			this.idle.used();
			this.pools.raise(Demand.Level.ANYWHERE);
			throw ex;
		}
	}

	/** Gives idle slots to jobs that this process enqueues. */
	public DirectStarts directStarts() {
		return this.directStarts;
	}

	/** Answers whether the claims and enqueues have ended that lease jobs now. */
	BooleanSupplier endOfLeasing() {
		BooleanSupplier claimed = this.background.end();
		BooleanSupplier enqueued = this.directStarts.endOfStatements();
		return () -> claimed.getAsBoolean() && enqueued.getAsBoolean();
	}

	private void claimOrSleep(Duration longest) throws InterruptedException {
		if (this.poll.isDue()) {
			this.poll.next(this.idle.poll(this.pollInterval));
			this.pools.each((pool) -> pool.demand().needSweep());
		}
		if (this.onDemand.isDue()) {
			this.pools.raise(Demand.Level.KNOWN_LANES);
		}
		Duration untilSweep = this.sweeps.untilAllowed();
		boolean sweep = this.sweeps.isDue(untilSweep.isZero(), () -> !room().isEmpty());
		Map<Pool, Integer> room = room();
		if (room.isEmpty()) {
			if (this.background.isEmpty() && !this.sweeps.isAwaited()
					&& this.idle.foundNothing(this.lanes.hasJobs(), this.unknown, this.directStarts)) {
				this.poll.next(this.idle.poll(this.pollInterval));
			}
			Duration pause = this.sweeps.shorten(Times.shorter(longest, this.poll.remaining()), untilSweep);
			this.wakeFlag.await(this.onDemand.pause(pause));
			return;
		}
		Set<Pool> anywhere = room.keySet()
			.stream()
			.filter((pool) -> pool.demand().take() == Demand.Level.ANYWHERE)
			.collect(Collectors.toSet());
		if (sweep) {
			this.lanes.sweep();
			room.keySet().forEach((pool) -> pool.demand().needNoSweep());
			if (hasFoundNothing()) {
				return;
			}
		}
		if (this.idle.isNow()) {
			if (!this.idle.end(this.directStarts)) {
				return;
			}
			this.poll.next();
		}
		Map<Pool, Integer> places = Pools.reserve(room);
		try {
			if (!places.isEmpty()) {
				claim(new Turn(places, anywhere, sweep, this.lanes.sweeps()));
			}
		}
		finally {
			Pools.release(places);
		}
	}

	/** The lanes were swept; returns whether none of them has jobs to claim. */
	private boolean hasFoundNothing() {
		this.latest.swept();
		this.limits.swept();
		boolean nothing = this.lanes.areEmpty() && this.onDemand.isEmpty();
		if (nothing) {
			this.latest.foundNothing();
		}
		return nothing;
	}

	/** How many jobs to claim, for each pool with demand and room. */
	private Map<Pool, Integer> room() {
		if (this.finisher.isBehind() || this.background.isFull()) {
			return Map.of();
		}
		Map<Pool, Integer> room = this.pools.roomWhereDemandIs();
		if (this.latest.wasShort()) {
			// the claim that executes shows whether there are more jobs
			room.keySet().removeIf(this.background::hasOneFor);
		}
		return room;
	}

	private void claim(Turn turn) {
		Chosen chosen = this.choice.choose(turn.room.keySet());
		Map<String, Integer> room = new LinkedHashMap<>();
		turn.room.forEach((pool, jobs) -> room.put(pool.name(), jobs));
		Claim claim = new Claim(this.workerId, room, chosen.allotted());
		if (!this.onDemand.isEmpty()) {
			ClaimPlan plan = ClaimPlan.of(chosen.allotted(), this.onDemand::kind, this.lanes::hadJobs);
			learn(turn, chosen, this.onDemand.claim(plan, room, this::claimPlain));
		}
		else if (this.latest.isWorthASession(claim)) {
			claimInBackground(turn, chosen, this.latest.next(claim));
		}
		else {
			learn(turn, chosen, claimPlain(claim));
		}
	}

	/** Claims from plain lanes with one statement. */
	private List<ClaimedJob> claimPlain(Claim claim) {
		if (claim.lanes().isEmpty()) {
			return List.of();
		}
		Claim fastest = this.latest.next(claim);
		Claimed claimed = this.claims.claim(fastest);
		this.latest.was(fastest, claimed);
		return claimed.jobs();
	}

	/** Only if there is one pool, and its lanes have no limits. */
	private void claimInBackground(Turn turn, Chosen chosen, Claim claim) {
		Map.Entry<Pool, Integer> only = turn.room.entrySet().iterator().next();
		this.background.begin(only.getKey(), only.getValue(), () -> this.claims.claim(claim), (claimed) -> {
			this.latest.was(claim, claimed);
			if (turn.sweeps != this.lanes.sweeps()) {
				// it began before a sweep that has found what it passed over
				this.latest.swept();
			}
			learn(turn, chosen, claimed.jobs());
		});
		only.getKey().demand().raise(Demand.Level.KNOWN_LANES); // while there is plenty
	}

	private void learn(Turn turn, Chosen chosen, List<ClaimedJob> jobs) {
		Map<Pool, List<ClaimedJob>> claimed = this.pools.byPool(jobs);
		Set<String> full = new HashSet<>();
		turn.room.forEach((pool, room) -> {
			if (claimed.getOrDefault(pool, List.of()).size() >= room) {
				full.add(pool.name());
				pool.demand().raise(Demand.Level.ANYWHERE);
				pool.demand().needNoSweep();
			}
			else if (!turn.swept && turn.anywhere.contains(pool)) {
				pool.demand().needSweep();
			}
		});
		if (turn.sweeps == this.lanes.sweeps()) {
			this.lanes.claimed(jobs);
		}
		if (this.choice.learn(chosen, jobs, full)) {
			turn.room.keySet().forEach((pool) -> pool.demand().raise(Demand.Level.KNOWN_LANES));
		}
	}

	/**
	 * What was known when a claim began.
	 *
	 * @param room how many jobs to claim, by pool
	 * @param anywhere the pools that may get jobs from lanes that are not known
	 * @param swept whether a sweep preceded the claim
	 * @param sweeps how often the lanes had been swept
	 */
	private record Turn(Map<Pool, Integer> room, Set<Pool> anywhere, boolean swept, int sweeps) {

	}

}
