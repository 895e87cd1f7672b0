package io.pgqueue.engine.admin;

import java.util.List;

import io.pgqueue.engine.limit.LimitStore;
import io.pgqueue.engine.support.RequestChecks;
import io.pgqueue.engine.wakeup.Arrivals;
import io.pgqueue.engine.wakeup.WakeUps;
import io.pgqueue.limit.JobLimits;
import io.pgqueue.limit.Limit;
import io.pgqueue.limit.LimitKind;
import io.pgqueue.limit.LimitView;
import org.springframework.util.Assert;

/** The default implementation of {@link JobLimits}. */
public final class DefaultJobLimits implements JobLimits {

	private final LimitStore store;

	private final WakeUps wakeUps;

	/**
	 * Creates the administration.
	 * @param store reads and changes the limits
	 * @param wakeUps is notified if there may be room
	 */
	public DefaultJobLimits(LimitStore store, WakeUps wakeUps) {
		this.store = store;
		this.wakeUps = wakeUps;
	}

	@Override
	public void set(LimitKind kind, String name, Limit limit) {
		check(kind, name, limit);
		this.store.set(kind, name, limit, true);
		wake(kind, name);
	}

	@Override
	public void configure(LimitKind kind, String name, Limit limit) {
		check(kind, name, limit);
		if (this.store.set(kind, name, limit, false)) {
			wake(kind, name);
		}
	}

	@Override
	public boolean remove(LimitKind kind, String name) {
		boolean removed = this.store.remove(kind, name);
		wake(kind, name);
		return removed;
	}

	@Override
	public List<LimitView> list() {
		return this.store.list();
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
		Assert.isTrue(kind != LimitKind.KEY || name.indexOf(':') < 0,
				() -> "'" + name + "' is a key and not a class of keys, which is what stands before its ':'");
		Assert.isTrue(kind == LimitKind.KEY || !limit.ordered(), "only the jobs of a key can be ordered");
	}

	/** Maintenance admits jobs of keys; types are claimed at the next poll. */
	private void wake(LimitKind kind, String name) {
		if (kind == LimitKind.QUEUE) {
			this.wakeUps.jobsArrived(Arrivals.of(name));
		}
	}

}
