package io.rowqueue.engine.control;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.limit.HoldStore;
import io.rowqueue.engine.limit.LimitStore;
import io.rowqueue.engine.limit.WeightStore;
import io.rowqueue.engine.support.FairnessKey;
import io.rowqueue.engine.support.RequestChecks;
import io.rowqueue.engine.wakeup.Arrivals;
import io.rowqueue.engine.wakeup.WakeUps;
import io.rowqueue.limit.Hold;
import io.rowqueue.limit.JobLimits;
import io.rowqueue.limit.Limit;
import io.rowqueue.limit.LimitKind;
import io.rowqueue.limit.LimitView;
import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

/** The default implementation of {@link JobLimits}. */
public final class DefaultJobLimits implements JobLimits {

	private final LimitStore limits;

	private final HoldStore holds;

	private final WeightStore weights;

	private final WakeUps wakeUps;

	/**
	 * Creates the administration.
	 * @param database runs each statement in a separate transaction
	 * @param wakeUps is notified if there may be room
	 */
	public DefaultJobLimits(QueueDatabase database, WakeUps wakeUps) {
		this.limits = new LimitStore(database);
		this.holds = new HoldStore(database);
		this.weights = new WeightStore(database);
		this.wakeUps = wakeUps;
	}

	@Override
	public void set(LimitKind kind, String name, Limit limit) {
		check(kind, name, limit);
		this.limits.set(kind, name, limit, true);
		wake(kind, name);
	}

	@Override
	public void configure(LimitKind kind, String name, Limit limit) {
		check(kind, name, limit);
		if (this.limits.set(kind, name, limit, false)) {
			wake(kind, name);
		}
	}

	@Override
	public boolean remove(LimitKind kind, String name) {
		boolean removed = this.limits.remove(kind, name);
		wake(kind, name);
		return removed;
	}

	@Override
	public void hold(LimitKind kind, String name, Duration time, @Nullable String reason) {
		RequestChecks.name("the name of what is held", name);
		RequestChecks.duration("the time of a hold", time);
		Assert.isTrue(!time.isZero(), "the time of a hold must be positive");
		Assert.isTrue(kind != LimitKind.KEY || !FairnessKey.is(name), "a fairness key cannot be held");
		this.holds.hold(kind, name, time, reason);
	}

	@Override
	public boolean release(LimitKind kind, String name) {
		boolean released = this.holds.release(kind, name);
		wake(kind, name);
		return released;
	}

	@Override
	public List<Hold> holds() {
		return this.holds.list();
	}

	@Override
	public void setWeight(String fairnessKey, int weight) {
		RequestChecks.name("fairnessKey", fairnessKey);
		Assert.isTrue(weight >= 1 && weight <= MAX_WEIGHT,
				() -> "weight must be from 1 to " + MAX_WEIGHT + ", not " + weight);
		this.weights.set(fairnessKey, weight);
	}

	@Override
	public Map<String, Integer> weights() {
		return this.weights.list();
	}

	@Override
	public List<LimitView> list() {
		return this.limits.list();
	}

	/**
	 * Checks a limit.
	 * @param kind what the limit applies to
	 * @param name the queue, the type, or the class of keys
	 * @param limit the limit
	 * @throws IllegalArgumentException as for {@link #set}
	 */
	public static void check(LimitKind kind, String name, Limit limit) {
		RequestChecks.name("the name of a limit", name);
		Assert.isTrue(kind != LimitKind.KEY || !FairnessKey.is(name + ":"),
				"'fair' is the class of fairness keys, which have weights and no limits");
		Assert.isTrue(kind == LimitKind.KEY || !limit.ordered(), "only the jobs of a key can be ordered");
	}

	/** Maintenance admits jobs of keys; types are claimed at the next poll. */
	private void wake(LimitKind kind, String name) {
		if (kind == LimitKind.QUEUE) {
			this.wakeUps.jobsArrived(Arrivals.of(name));
		}
	}

}
