package io.rowqueue.dashboard.api.queue;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

import io.rowqueue.admin.BoundedCount;
import io.rowqueue.admin.LaneView;
import io.rowqueue.admin.filter.JobFilter;
import io.rowqueue.admin.filter.JobListState;
import io.rowqueue.admin.filter.NumberRange;
import io.rowqueue.dashboard.api.Count;
import io.rowqueue.dashboard.api.QueueReaders;
import io.rowqueue.dashboard.api.queue.ForecastApi.PriorityLevel;
import org.jspecify.annotations.Nullable;

/**
 * When the jobs of each priority of a queue will have started: those of a higher priority
 * start before them.
 */
final class PriorityForecast {

	/** Further priorities are counted together with the lowest one. */
	private static final int MAX_LEVELS = 5;

	private static final Duration KEPT = Duration.ofSeconds(10);

	private final QueueReaders readers;

	private volatile @Nullable Kept kept;

	PriorityForecast(QueueReaders readers) {
		this.readers = readers;
	}

	/** Returns the levels, the highest priority first; empty if there is only one. */
	List<PriorityLevel> levels(String queue, Instant at, Count waiting, Forecast.Given given) {
		List<PriorityLevel> levels = new ArrayList<>();
		double ahead = 0;
		for (Waiting each : waiting(queue, at, waiting)) {
			ahead += each.jobs().value();
			levels.add(new PriorityLevel(each.priority(), each.jobs(), Forecast.minutesUntilStarted(given, ahead)));
		}
		return (levels.size() > 1) ? levels : List.of();
	}

	/** Pages ask every two seconds. */
	private List<Waiting> waiting(String queue, Instant at, Count total) {
		Kept before = this.kept;
		if (before != null && before.queue.equals(queue) && before.at.plus(KEPT).isAfter(at)) {
			return before.waiting;
		}
		List<Waiting> waiting = read(queue, total);
		this.kept = new Kept(queue, at, waiting);
		return waiting;
	}

	/** Beyond a priority whose jobs are too many to be counted, nothing is known. */
	private List<Waiting> read(String queue, Count total) {
		List<Integer> priorities = this.readers.overview()
			.lanes()
			.stream()
			.filter((lane) -> lane.queue().equals(queue))
			.map(LaneView::priority)
			.distinct()
			.sorted(Comparator.reverseOrder())
			.limit(MAX_LEVELS)
			.toList();
		List<Waiting> waiting = new ArrayList<>();
		long ahead = 0;
		for (int i = 0; i < priorities.size(); i++) {
			int priority = priorities.get(i);
			if (i == priorities.size() - 1) {
				waiting.add(new Waiting(priority, new Count(Math.max(0, total.value() - ahead), total.kind())));
				return waiting;
			}
			BoundedCount jobs = this.readers.search()
				.count(JobFilter.builder()
					.state(JobListState.QUEUED)
					.queue(queue)
					.priority(NumberRange.of(priority))
					.build());
			if (!jobs.exact()) {
				return waiting;
			}
			ahead += jobs.value();
			waiting.add(new Waiting(priority, Count.exact(jobs.value())));
		}
		return waiting;
	}

	private record Waiting(int priority, Count jobs) {

	}

	private record Kept(String queue, Instant at, List<Waiting> waiting) {

	}

}
