package io.pgqueue.engine.figures;

import java.util.concurrent.atomic.AtomicLongArray;

import io.pgqueue.listen.AttemptEnd.Outcome;

/**
 * The counters of the jobs of one queue and type in this process. The end of an attempt
 * increments one of them: there is one for each outcome and run time.
 */
final class JobCounters {

	private static final Outcome[] OUTCOMES = Outcome.values();

	private static final int WAITS = OUTCOMES.length * Histogram.BUCKETS;

	private static final int ENQUEUED = WAITS + Histogram.BUCKETS;

	private final AtomicLongArray counts = new AtomicLongArray(ENQUEUED + 1);

	void enqueued() {
		this.counts.incrementAndGet(ENQUEUED);
	}

	void started(long waitedMillis) {
		this.counts.incrementAndGet(WAITS + Histogram.bucket(waitedMillis));
	}

	void ended(Outcome outcome, long ranMillis) {
		this.counts.incrementAndGet(outcome.ordinal() * Histogram.BUCKETS + Histogram.bucket(ranMillis));
	}

	/** Returns what was counted since the last call. */
	Counts take() {
		long[] outcomes = new long[OUTCOMES.length];
		long[] runs = new long[Histogram.BUCKETS];
		for (int i = 0; i < WAITS; i++) {
			long count = take(i);
			outcomes[i / Histogram.BUCKETS] += count;
			runs[i % Histogram.BUCKETS] += (OUTCOMES[i / Histogram.BUCKETS] != Outcome.RELEASED) ? count : 0;
		}
		long[] waits = new long[Histogram.BUCKETS];
		for (int i = 0; i < Histogram.BUCKETS; i++) {
			waits[i] = take(WAITS + i);
		}
		return new Counts(take(ENQUEUED), outcomes[Outcome.SUCCEEDED.ordinal()], outcomes[Outcome.RETRIED.ordinal()],
				outcomes[Outcome.FAILED.ordinal()], outcomes[Outcome.CANCELLED.ordinal()],
				outcomes[Outcome.SNOOZED.ordinal()], Histogram.of(waits), Histogram.of(runs));
	}

	/** Most of them are zero: those are only read. */
	private long take(int index) {
		return (this.counts.get(index) != 0) ? this.counts.getAndSet(index, 0) : 0;
	}

}
