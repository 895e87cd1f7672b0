package io.rowqueue.engine.enqueue;

import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

import io.rowqueue.EnqueueResult;
import io.rowqueue.UniqueKey;
import io.rowqueue.engine.job.NewJob;
import org.jspecify.annotations.Nullable;

/**
 * The order in which several statements store jobs: by their unique keys, so that two
 * transactions that store the same keys cannot deadlock. One statement sees to that
 * itself. Jobs with limit keys stay in the order of the list, in which an ordered key
 * runs them: here a deadlock is the lesser evil, since the enqueue fails and can be
 * repeated.
 *
 * @param indexes the index of each job in the order of the requests; empty: the order
 * need not change
 */
record KeyOrder(List<Integer> indexes) {

	static KeyOrder of(List<NewJob> jobs) {
		if (StatementChunks.isOne(jobs) || jobs.stream().allMatch((job) -> job.request().unique() == null)
				|| jobs.stream().anyMatch((job) -> job.request().limitKey() != null)) {
			return new KeyOrder(List.of());
		}
		return new KeyOrder(IntStream.range(0, jobs.size())
			.boxed()
			.sorted(Comparator.comparing((index) -> key(jobs.get(index)),
					Comparator.nullsFirst(Comparator.naturalOrder())))
			.toList());
	}

	private static @Nullable String key(NewJob job) {
		UniqueKey key = job.request().unique();
		return (key != null) ? key.value() : null;
	}

	/** Returns the jobs in this order. */
	List<NewJob> sort(List<NewJob> jobs) {
		return this.indexes.isEmpty() ? jobs : this.indexes.stream().map(jobs::get).toList();
	}

	/** Returns the results in the order of the requests. */
	List<EnqueueResult> restore(List<EnqueueResult> results) {
		if (this.indexes.isEmpty()) {
			return results;
		}
		EnqueueResult[] restored = new EnqueueResult[results.size()];
		for (int i = 0; i < restored.length; i++) {
			restored[this.indexes.get(i)] = results.get(i);
		}
		return List.of(restored);
	}

}
