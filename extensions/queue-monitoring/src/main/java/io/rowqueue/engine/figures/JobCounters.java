package io.rowqueue.engine.figures;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

import io.rowqueue.listen.AttemptEnd.Outcome;

/**
 * The counters of the jobs of one queue and type in this process. The end of an attempt
 * increments one of them: there is one for each outcome and run time.
 */
final class JobCounters {

	private final AtomicLong enqueued = new AtomicLong();

	private final AtomicLongArray waits = new AtomicLongArray(Histogram.BUCKETS);

	private final Map<Outcome, AtomicLongArray> ends = new EnumMap<>(Outcome.class);

	JobCounters() {
		for (Outcome outcome : Outcome.values()) {
			this.ends.put(outcome, new AtomicLongArray(Histogram.BUCKETS));
		}
	}

	void enqueued() {
		this.enqueued.incrementAndGet();
	}

	void started(long waitedMillis) {
		this.waits.incrementAndGet(Histogram.bucket(waitedMillis));
	}

	void ended(Outcome outcome, long ranMillis) {
		of(outcome).incrementAndGet(Histogram.bucket(ranMillis));
	}

	private AtomicLongArray of(Outcome outcome) {
		return Objects.requireNonNull(this.ends.get(outcome));
	}

	/** Returns what was counted since the last call. */
	Counts take() {
		long[] runs = new long[Histogram.BUCKETS];
		Map<Outcome, Long> outcomes = new EnumMap<>(Outcome.class);
		this.ends.forEach((outcome, counts) -> {
			long[] taken = take(counts);
			long all = 0;
			for (int i = 0; i < taken.length; i++) {
				all += taken[i];
				runs[i] += (outcome != Outcome.RELEASED) ? taken[i] : 0;
			}
			outcomes.put(outcome, all);
		});
		return new Counts(this.enqueued.getAndSet(0), count(outcomes, Outcome.SUCCEEDED),
				count(outcomes, Outcome.RETRIED), count(outcomes, Outcome.FAILED), count(outcomes, Outcome.CANCELLED),
				count(outcomes, Outcome.SNOOZED), Histogram.of(take(this.waits)), Histogram.of(runs));
	}

	private static long count(Map<Outcome, Long> outcomes, Outcome outcome) {
		return Objects.requireNonNull(outcomes.get(outcome));
	}

	/** Most of them are zero: those are only read. */
	private static long[] take(AtomicLongArray counts) {
		long[] taken = new long[counts.length()];
		for (int i = 0; i < taken.length; i++) {
			taken[i] = (counts.get(i) != 0) ? counts.getAndSet(i, 0) : 0;
		}
		return taken;
	}

}
