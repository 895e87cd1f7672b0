package io.rowqueue.products;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

import io.rowqueue.JobContext;
import io.rowqueue.step.SignalResult;
import org.jspecify.annotations.Nullable;

/**
 * What producers and handlers have seen, written down by themselves: each enqueue and
 * what became of its transaction, each call of a handler and how it ended. Reports at
 * once what no two handlers may do at the same time.
 */
final class Ledger {

	/** What became of the transaction of an enqueue. */
	enum Fate {

		COMMITTED, ROLLED_BACK, UNKNOWN

	}

	/** How a call of a handler ended. */
	enum End {

		NONE, RETURNED, THREW, WAITED

	}

	private final Map<String, Entry> entries = new ConcurrentHashMap<>();

	private final Map<Long, Queue<Run>> runs = new ConcurrentSkipListMap<>();

	/** The runs that have not ended, by key. */
	private final Map<String, List<Run>> running = new HashMap<>();

	private final Map<String, List<Entry>> ordered = new ConcurrentHashMap<>();

	private final Map<String, Lock> locks = new ConcurrentHashMap<>();

	private final Map<Long, Long> signalled = new ConcurrentHashMap<>();

	private final AtomicLong order = new AtomicLong();

	private final Queue<Foul> fouls = new ConcurrentLinkedQueue<>();

	/** An enqueue whose end is not known yet. */
	Entry enqueue(Plan plan, Plan with, Object node) {
		Entry entry = new Entry(plan, (with != plan) ? node + " with " + with : node.toString());
		this.entries.put(plan.token(), entry);
		return entry;
	}

	Collection<Entry> entries() {
		return this.entries.values();
	}

	@Nullable Entry entry(@Nullable String token) {
		return (token != null) ? this.entries.get(token) : null;
	}

	/**
	 * Held from an enqueue to its commit, so that the order of an ordered key is known.
	 */
	Lock order(String key) {
		return this.locks.computeIfAbsent(key, (each) -> new ReentrantLock());
	}

	/** Jobs of an ordered key, in the order of their commits. */
	void committedInOrder(Entry entry) {
		this.ordered
			.computeIfAbsent(String.valueOf(entry.plan.limitKey()),
					(key) -> Collections.synchronizedList(new ArrayList<>()))
			.add(entry);
	}

	Map<String, List<Entry>> ordered() {
		return this.ordered;
	}

	/** A signal was committed. */
	void signalled(long id, SignalResult result) {
		if (result == SignalResult.STORED) {
			this.signalled.put(id, System.nanoTime());
		}
	}

	/**
	 * A handler waited in vain for a signal. One that was sent to another job, which this
	 * one has replaced, is not for it.
	 */
	void timedOut(Run run) {
		Long sent = this.signalled.get(run.jobId);
		Entry entry = entry(run.token);
		if (sent != null && System.nanoTime() - sent > 10_000_000_000L && entry != null && entry.created) {
			foul(run.jobId, "A signal was stored, and the handler that waited for it did not get it: " + entry);
		}
	}

	Run begin(Node node, String token, JobContext context) {
		Entry entry = entry(token);
		Run run = new Run(context.id(), context.leaseToken(), context.attempt(), node, token,
				(entry != null) ? entry.plan : null, this.order.incrementAndGet());
		this.runs.computeIfAbsent(run.jobId, (id) -> new ConcurrentLinkedQueue<>()).add(run);
		meet(run, "job " + run.jobId, 1);
		if (entry != null) {
			entry.begun = true;
			Plan plan = entry.plan;
			boolean everywhere = plan.isRouted() || !entry.sharded;
			if (plan.uniqueKey() != null && everywhere) {
				meet(run, plan.uniqueKey(), 1);
			}
			if (plan.limitKey() != null && everywhere) {
				meet(run, plan.limitKey(), World.LIMITS.get(plan.get(Plan.LimitKey.class)));
			}
		}
		return run;
	}

	private synchronized void meet(Run run, String key, int limit) {
		List<Run> others = this.running.computeIfAbsent(key, (each) -> new ArrayList<>());
		others.removeIf((other) -> other.end != End.NONE || other.mayBeLost());
		if (run.mayBeLost()) {
			return;
		}
		others.add(run);
		int units = key.startsWith("units")
				? others.stream().mapToInt((each) -> (each.plan != null) ? each.plan.units() : 1).sum() : others.size();
		if (units > limit) {
			foul(run.jobId, "%d at once of '%s', which allows %d: %s".formatted(units, key, limit, others));
		}
	}

	Collection<Run> runs(long id) {
		return this.runs.getOrDefault(id, new ConcurrentLinkedQueue<>());
	}

	/** All runs, by job. */
	Map<Long, Queue<Run>> runs() {
		return this.runs;
	}

	void foul(long job, String message) {
		this.fouls.add(new Foul(job, message));
	}

	Queue<Foul> fouls() {
		return this.fouls;
	}

	/**
	 * Something that must not be.
	 *
	 * @param job the id of the job; 0 if there is none
	 */
	record Foul(long job, String message) {

	}

	/** One enqueue. */
	static final class Entry {

		final Plan plan;

		final String node;

		/** What it runs after. */
		final List<Entry> predecessors = new ArrayList<>();

		/** Whether there are several databases. */
		boolean sharded;

		/** Whether a job of its own was stored: not if another one had its key. */
		volatile boolean created;

		/** Unknown, 0, if it belongs to a batch. */
		volatile long id;

		volatile Fate fate = Fate.UNKNOWN;

		volatile boolean begun;

		/** Whether somebody has tried to cancel it. */
		volatile boolean mayBeCancelled;

		/** Nothing of it begins from then on, to the time that follows. */
		volatile long heldFrom = Long.MAX_VALUE;

		volatile long heldTo;

		volatile String outcome = "";

		private Entry(Plan plan, String node) {
			this.plan = plan;
			this.node = node;
		}

		/** It was cancelled while it waited. */
		void cancelled() {
			heldTo(Long.MAX_VALUE);
		}

		/** It was postponed while it waited. */
		void heldTo(long nanos) {
			this.heldTo = nanos;
			this.heldFrom = System.nanoTime();
		}

		boolean isCancelled() {
			return this.heldTo == Long.MAX_VALUE;
		}

		@Override
		public String toString() {
			return "%s, enqueued at %s as %d %s: %s".formatted(this.plan, this.node, this.id, this.outcome, this.fate);
		}

	}

	/** One call of a handler. */
	static final class Run {

		final long jobId;

		final int lease;

		final int attempt;

		final Node node;

		final String token;

		final @Nullable Plan plan;

		final long order;

		final long begunAt = System.nanoTime();

		volatile long endedAt = Long.MAX_VALUE;

		volatile End end = End.NONE;

		volatile @Nullable Throwable error;

		private Run(long jobId, int lease, int attempt, Node node, String token, @Nullable Plan plan, long order) {
			this.jobId = jobId;
			this.lease = lease;
			this.attempt = attempt;
			this.node = node;
			this.token = token;
			this.plan = plan;
			this.order = order;
		}

		boolean mayBeLost() {
			return this.node.mayHaveLost(this.begunAt, this.endedAt);
		}

		void ended(End how, @Nullable Throwable with) {
			this.error = with;
			this.endedAt = System.nanoTime();
			this.end = how;
		}

		@Override
		public String toString() {
			return "#%d job %d lease %d attempt %d '%s' at %s: %s%s%s".formatted(this.order, this.jobId, this.lease,
					this.attempt, this.token, this.node, this.end, mayBeLost() ? ", its lease may be lost" : "",
					(this.error != null) ? " " + this.error : "");
		}

	}

}
