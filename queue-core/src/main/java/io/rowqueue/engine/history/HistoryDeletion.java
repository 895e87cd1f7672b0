package io.rowqueue.engine.history;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

import io.rowqueue.engine.support.Times;
import org.jspecify.annotations.Nullable;

/**
 * Deletes finished jobs that must be deleted before the partition of their day. It visits
 * the history from old to new, a period with each statement, and remembers its position,
 * so that nothing is read twice. The length of the period is adapted so that statements
 * are small.
 */
final class HistoryDeletion {

	private static final Duration MIN_STRETCH = Duration.ofSeconds(1);

	private static final Duration MAX_STRETCH = Duration.ofHours(2);

	/** If a statement deletes more rows, the period is shortened. */
	private static final int MAX_ROWS_PER_DELETE = 5000;

	/** A job that finished this long ago may be committed only now. */
	private static final Duration LATE_COMMIT_GRACE = Duration.ofMinutes(1);

	private final HistoryStore store;

	private final Map<Duration, Instant> passed = new HashMap<>();

	private @Nullable Retention retention;

	private Duration stretch = MIN_STRETCH;

	HistoryDeletion(HistoryStore store) {
		this.store = store;
	}

	/**
	 * Deletes with a limited number of statements; returns whether it has reached the
	 * end. Begins again at the oldest day if the ages have changed.
	 * @param ages how long jobs are kept
	 * @param days the days with a partition
	 * @param statements the maximum number of statements
	 */
	boolean delete(Retention ages, Collection<HistoryPartition> days, int statements) {
		if (!ages.equals(this.retention)) {
			this.retention = ages;
			this.passed.clear();
		}
		Instant now = this.store.now();
		int left = statements;
		for (Duration age : ages.finishedAges()) {
			Instant end = now.minus(age);
			Instant begin = this.passed.get(age);
			if (begin == null) {
				begin = oldest(days, end);
			}
			while (begin.isBefore(end)) {
				if (left-- == 0) {
					this.passed.put(age, begin);
					return false;
				}
				Instant next = earlier(begin.plus(this.stretch), end);
				adapt(this.store.deleteFinished(ages, age, begin, next));
				begin = next;
			}
			this.passed.put(age, earlier(begin, end.minus(LATE_COMMIT_GRACE)));
		}
		return true;
	}

	private Instant oldest(Collection<HistoryPartition> days, Instant latest) {
		Instant oldest = earlier(latest, this.store.oldestWithoutDay().orElse(latest));
		for (HistoryPartition partition : days) {
			oldest = earlier(oldest, partition.day().atStartOfDay(ZoneOffset.UTC).toInstant());
		}
		return oldest;
	}

	private void adapt(int rows) {
		if (rows > MAX_ROWS_PER_DELETE) {
			this.stretch = this.stretch.dividedBy(2);
		}
		else if (rows < MAX_ROWS_PER_DELETE / 4) {
			this.stretch = this.stretch.multipliedBy(2);
		}
		this.stretch = Times.longer(MIN_STRETCH, Times.shorter(this.stretch, MAX_STRETCH));
	}

	private static Instant earlier(Instant one, Instant other) {
		return one.isBefore(other) ? one : other;
	}

}
