package io.pgqueue.lab.peer;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;

/** What ran, how often, when it was committed and when it began; jobs are numbered. */
final class Ledger {

	private final AtomicIntegerArray runs;

	private final long[] committed;

	private final long[] begun;

	private final AtomicInteger total = new AtomicInteger();

	Ledger(int capacity) {
		this.runs = new AtomicIntegerArray(capacity);
		this.committed = new long[capacity];
		this.begun = new long[capacity];
	}

	int capacity() {
		return this.begun.length;
	}

	void begin(int job) {
		this.begun[job] = System.nanoTime();
		this.runs.incrementAndGet(job);
		this.total.incrementAndGet();
	}

	void commit(int from, int to) {
		long now = System.nanoTime();
		for (int job = from; job < to; job++) {
			this.committed[job] = now;
		}
	}

	int total() {
		return this.total.get();
	}

	long begun(int job) {
		return this.begun[job];
	}

	/** Whether the job was both committed and begun. */
	boolean isComplete(int job) {
		return this.begun[job] != 0 && this.committed[job] != 0;
	}

	/** The milliseconds from commit to begin; a job that began first waited for none. */
	double latencyMillis(int job) {
		return Math.max(0, this.begun[job] - this.committed[job]) / 1e6;
	}

	int duplicates(int jobs) {
		int duplicates = 0;
		for (int job = 0; job < jobs; job++) {
			duplicates += Math.max(0, this.runs.get(job) - 1);
		}
		return duplicates;
	}

	int missing(int jobs) {
		int missing = 0;
		for (int job = 0; job < jobs; job++) {
			missing += (this.runs.get(job) == 0) ? 1 : 0;
		}
		return missing;
	}

}
