package io.pgqueue.engine.limit;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import io.pgqueue.engine.limit.LimitStore.Admission;
import io.pgqueue.engine.support.Mailbox;
import io.pgqueue.engine.support.Pace;
import io.pgqueue.engine.support.Times;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Admits jobs with limit keys: they can be claimed then. A thread does so as soon as this
 * process knows that a job may be admitted: it was committed, another job of its key has
 * ended, or a token comes. Maintenance, in one process of the cluster, admits all that is
 * left, because the database was away or the process died whose turn it was.
 */
public final class LimitAdmission {

	private static final int BATCH = LimitStore.BATCH;

	/** A run ends after so many statements, or after this time if they take long. */
	private static final int MAX_BATCHES = 20;

	private static final Duration LONGEST_RUN = Duration.ofMillis(250);

	private static final Duration ADMIT_FORGOTTEN_EVERY = Duration.ofSeconds(1);

	private static final Duration FORGET_KEYS_EVERY = Duration.ofMinutes(1);

	private static final Logger logger = LoggerFactory.getLogger(LimitAdmission.class);

	private final LimitStore store;

	private final Consumer<Collection<String>> admitted;

	/** How often jobs were committed since the latest turn, at least one each time. */
	private final AtomicInteger arrivals = new AtomicInteger();

	/** Whether a job may have arrived that was due long before; used by the thread. */
	private boolean someLongDue;

	/** When the thread may look at all jobs again; used by the thread. */
	private final Pace nextLook = Pace.dueNow(Duration.ZERO);

	private final Mailbox freedKeys = new Mailbox("pgqueue-admission", this::turn);

	/** Used by maintenance, as is the next one. */
	private final KeyScan forgotten = new KeyScan(this::admitForgotten, ADMIT_FORGOTTEN_EVERY, MAX_BATCHES);

	private final KeyScan unused;

	/**
	 * Creates the admission.
	 * @param store admits
	 * @param admitted receives the queues that have new jobs to claim
	 */
	public LimitAdmission(LimitStore store, Consumer<Collection<String>> admitted) {
		this.store = store;
		this.admitted = admitted;
		this.unused = new KeyScan(store::forgetKeys, FORGET_KEYS_EVERY, MAX_BATCHES);
	}

	/**
	 * This process has committed jobs with limit keys. Returns at once and never fails.
	 */
	public void jobsArrived() {
		this.arrivals.incrementAndGet();
		this.freedKeys.put(List.of());
	}

	/**
	 * Another process has notified this one of jobs with limit keys that are due since
	 * then. Returns at once and never fails.
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
	 * Admits jobs that are due, and those that no process has admitted when a place
	 * became free; forgets keys that are not in use. If there are very many it ends early
	 * and continues the next time.
	 */
	public void runMaintenance() {
		long end = endOfRun();
		admitDue(end);
		this.forgotten.run(end);
		this.unused.run(end);
	}

	/** Admits what it knows of, and ends. */
	public void close() {
		this.freedKeys.close();
	}

	/**
	 * Returns when the next token comes, if a job waits for one, or when all jobs may be
	 * looked at, if that is to be done, or no time at all if more jobs are due.
	 */
	private @Nullable Duration turn(Set<String> freed) {
		try {
			List<String> keys = List.copyOf(freed);
			for (int from = 0; from < keys.size(); from += BATCH) {
				this.admitted.accept(this.store.admit(keys.subList(from, Math.min(keys.size(), from + BATCH))));
			}
			int arrivals = this.arrivals.getAndSet(0);
			Run run = admitDue(endOfRun()); // also for the next token
			if (run.unfinished()) {
				this.arrivals.addAndGet(Math.max(0, arrivals - run.moved()));
				return Duration.ZERO; // keys that were freed meanwhile come first
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
			logger.debug("Jobs with limit keys were not admitted; maintenance does it", ex);
			return null;
		}
	}

	/**
	 * What arrived may have been due long before, as are the missed times of a recurring
	 * job. If such a look takes long, it is less often.
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
		while (admission.unfinished() && ++batches < MAX_BATCHES && System.nanoTime() - end <= 0);
		return new Run(moved, admission.unfinished(), admission.again());
	}

	private @Nullable String admitForgotten(String after) {
		Set<String> queues = after.isEmpty() ? this.store.admitDue(true).queues() : new LinkedHashSet<>();
		@Nullable String last = this.store.admitForgotten(after, queues);
		this.admitted.accept(queues);
		return last;
	}

	private static long endOfRun() {
		return System.nanoTime() + LONGEST_RUN.toNanos();
	}

	/** What some statements have admitted together, and when the next token comes. */
	private record Run(int moved, boolean unfinished, @Nullable Duration token) {

	}

}
