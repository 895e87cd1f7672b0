package io.rowqueue.lab.contestant;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.IntUnaryOperator;

/** What ran, how often, when it was committed and when it began; jobs are numbered. */
public final class Ledger {

	/** What it needs. */
	public static final int BYTES_PER_JOB = Integer.BYTES + 2 * Long.BYTES;

	private final AtomicIntegerArray runs;

	private final long[] committed;

	private final long[] begun;

	private final AtomicInteger total = new AtomicInteger();

	public Ledger(int capacity) {
		this.runs = new AtomicIntegerArray(capacity);
		this.committed = new long[capacity];
		this.begun = new long[capacity];
	}

	public int capacity() {
		return this.begun.length;
	}

	public void begin(int job) {
		this.begun[job] = System.nanoTime();
		this.runs.incrementAndGet(job);
		this.total.incrementAndGet();
	}

	public void commit(int from, int to) {
		long now = System.nanoTime();
		for (int job = from; job < to; job++) {
			this.committed[job] = now;
		}
	}

	/**
	 * Notes when a job was committed.
	 * @param at the time of {@link System#nanoTime()}
	 */
	public void committedAt(int job, long at) {
		this.committed[job] = at;
	}

	public int total() {
		return this.total.get();
	}

	public long begun(int job) {
		return this.begun[job];
	}

	/**
	 * A number that shows what ran how often: the fingerprints of several processes add
	 * up to that of all they ran.
	 */
	public long fingerprint() {
		long sum = 0;
		for (int job = 0; job < this.begun.length; job++) {
			sum += this.runs.get(job) * hash(job);
		}
		return sum;
	}

	/** The fingerprint of jobs that each ran once. */
	public static long fingerprint(int jobs) {
		long sum = 0;
		for (int job = 0; job < jobs; job++) {
			sum += hash(job);
		}
		return sum;
	}

	private static long hash(int job) {
		long mixed = (job + 1) * 0x9E3779B97F4A7C15L;
		mixed = (mixed ^ (mixed >>> 32)) * 0xD6E8FEB86659FD93L;
		return mixed ^ (mixed >>> 32);
	}

	/** Whether the job was both committed and begun. */
	public boolean isComplete(int job) {
		return this.begun[job] != 0 && this.committed[job] != 0;
	}

	/** The microseconds from commit to begin; a job that began first waited for none. */
	public long latencyMicros(int job) {
		return Math.max(0, this.begun[job] - this.committed[job]) / 1000;
	}

	/** How many runs there were beyond those that were expected. */
	public int duplicates(int jobs, IntUnaryOperator expectedRuns) {
		int duplicates = 0;
		for (int job = 0; job < jobs; job++) {
			duplicates += Math.max(0, this.runs.get(job) - expectedRuns.applyAsInt(job));
		}
		return duplicates;
	}

	/** How many runs there were too few. */
	public int missing(int jobs, IntUnaryOperator expectedRuns) {
		int missing = 0;
		for (int job = 0; job < jobs; job++) {
			missing += Math.max(0, expectedRuns.applyAsInt(job) - this.runs.get(job));
		}
		return missing;
	}

}
