package io.rowqueue.engine.limit;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import io.rowqueue.engine.limit.AdmissionStore.Admission;
import io.rowqueue.engine.support.Mailbox;
import io.rowqueue.engine.support.Pace;
import io.rowqueue.engine.support.Times;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Admits jobs with limit keys, which can be claimed then. A thread does this as soon as
 * this process knows that a job may be admitted: it was committed, another job of its key
 * has ended, or a token is available. Maintenance, in one process of the cluster, admits
 * all other jobs, which remain if the database was not available or a process died before
 * it admitted them.
 */
public final class LimitAdmission {

	private static final int KEYS_PER_STATEMENT = AdmissionStore.MAX_PER_STATEMENT;

	/** The maximum number of statements in a run. */
	private static final int MAX_STATEMENTS_PER_RUN = 20;

	private static final Duration MAX_RUN_TIME = Duration.ofMillis(250);

	private static final Duration ADMIT_FORGOTTEN_EVERY = Duration.ofSeconds(1);

	private static final Duration FORGET_KEYS_EVERY = Duration.ofMinutes(1);

	private static final Logger logger = LoggerFactory.getLogger(LimitAdmission.class);

	private final AdmissionStore store;

	private final Consumer<Collection<String>> admitted;

	/** Grows with each commit of jobs since the latest turn of the thread. */
	private final AtomicInteger arrivals = new AtomicInteger();

	/**
	 * Whether a job may have arrived that has been due for a long time; used by the
	 * thread.
	 */
	private boolean someLongDue;

	/** When the thread may check all jobs again; used by the thread. */
	private final Pace nextLook = Pace.dueNow(Duration.ZERO);

	private final Mailbox freedKeys = new Mailbox("rowqueue-admission", this::turn);

	/** Used by maintenance, like the following field. */
	private final KeyScan forgotten = new KeyScan(this::admitForgotten, ADMIT_FORGOTTEN_EVERY, MAX_STATEMENTS_PER_RUN);

	private final KeyScan unused;

	private final Pace old = new Pace(FORGET_KEYS_EVERY);

	/**
	 * Creates the admission.
	 * @param store admits the jobs
	 * @param admitted receives the queues with new jobs to claim
	 */
	public LimitAdmission(AdmissionStore store, Consumer<Collection<String>> admitted) {
		this.store = store;
		this.admitted = admitted;
		this.unused = new KeyScan(store::forgetKeys, FORGET_KEYS_EVERY, MAX_STATEMENTS_PER_RUN);
	}

	/**
	 * This process has committed jobs with limit keys. Returns at once and never fails.
	 */
	public void jobsArrived() {
		this.arrivals.incrementAndGet();
		this.freedKeys.put(List.of());
	}

	/**
	 * Another process has notified this one of jobs with limit keys that have been due
	 * since the given time. Returns at once and never fails.
	 */
	public void jobsBecameDue() {
		this.freedKeys.put(List.of());
	}

	/**
	 * Jobs with limit keys have ended, and that is committed. Returns at once and never
	 * fails.
	 * @param keys their keys
	 */
	public void keysFreed(Collection<String> keys) {
		if (!keys.isEmpty()) {
			this.freedKeys.put(keys);
		}
	}

	/**
	 * Admits due jobs, and those that no process has admitted when there was room;
	 * deletes keys that are not in use. If there are very many, it stops early and
	 * continues the next time.
	 */
	public void runMaintenance() {
		long end = endOfRun();
		admitDue(end);
		this.forgotten.run(end);
		this.unused.run(end);
		if (this.old.nextIfDue()) {
			this.store.forgetOld();
		}
	}

	/** Admits the jobs that it was notified of, and stops. */
	public void close() {
		this.freedKeys.close();
	}

	/**
	 * Returns when to run again: when the next token is available, if a job waits for
	 * one; when all jobs may be checked, if that is required; or at once, if more jobs
	 * are due.
	 */
	private @Nullable Duration turn(Set<String> freed) {
		try {
			List<String> keys = List.copyOf(freed);
			for (int from = 0; from < keys.size(); from += KEYS_PER_STATEMENT) {
				this.admitted
					.accept(this.store.admit(keys.subList(from, Math.min(keys.size(), from + KEYS_PER_STATEMENT))));
			}
			int arrivals = this.arrivals.getAndSet(0);
			// also returns when the next token is available
			Run run = admitDue(endOfRun());
			if (run.unfinished()) {
				this.arrivals.addAndGet(Math.max(0, arrivals - run.moved()));
				// keys that were freed meanwhile come first
				return Duration.ZERO;
			}
			this.someLongDue |= run.moved() < arrivals;
			if (this.someLongDue && this.nextLook.isDue()) {
				lookForLongDue();
			}
			@Nullable Duration token = run.token();
			if (!this.someLongDue) {
				return token;
			}
			Duration look = this.nextLook.remaining();
			return (token != null) ? Times.shorter(look, token) : look;
		}
		catch (RuntimeException ex) {
			logger.debug("Could not admit jobs with limit keys; maintenance will admit them", ex);
			return null;
		}
	}

	/**
	 * Arrived jobs may have been due for a long time, such as those for missed due times
	 * of a schedule. If this check takes long, it is made less often.
	 */
	private void lookForLongDue() {
		long begin = System.nanoTime();
		this.admitted.accept(this.store.admitDue(true).queues());
		this.nextLook.rest(Duration.ofNanos(System.nanoTime() - begin));
		this.someLongDue = false;
	}

	private Run admitDue(long end) {
		int moved = 0;
		int batches = 0;
		Admission admission;
		do {
			admission = this.store.admitDue();
			this.admitted.accept(admission.queues());
			moved += admission.moved();
		}
		while (admission.unfinished() && ++batches < MAX_STATEMENTS_PER_RUN && System.nanoTime() - end <= 0);
		return new Run(moved, admission.unfinished(), admission.again());
	}

	private @Nullable String admitForgotten(String after) {
		Set<String> queues = after.isEmpty() ? this.store.admitDue(true).queues() : new LinkedHashSet<>();
		@Nullable String last = this.store.admitForgotten(after, queues);
		this.admitted.accept(queues);
		return last;
	}

	private static long endOfRun() {
		return System.nanoTime() + MAX_RUN_TIME.toNanos();
	}

	/**
	 * What the statements of a run have admitted, and when the next token is available.
	 */
	private record Run(int moved, boolean unfinished, @Nullable Duration token) {

	}

}
