package io.rowqueue.dashboard.api.job;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import io.rowqueue.admin.BoundedCount;
import io.rowqueue.admin.JobPage;
import io.rowqueue.admin.JobSearch;
import io.rowqueue.admin.JobView;
import io.rowqueue.admin.filter.JobFilter;
import io.rowqueue.admin.filter.JobListState;
import io.rowqueue.dashboard.api.Count;
import io.rowqueue.dashboard.api.Reads;
import io.rowqueue.dashboard.api.Views;
import org.jspecify.annotations.Nullable;

/**
 * How many jobs a filter selects in each state, and when those of a list were due, began
 * or ended. The first jobs of the list are counted by time, and nothing more is read
 * after two seconds: what is not known then is left out.
 */
public final class JobSummaries {

	private static final Duration TIME = Duration.ofSeconds(2);

	private static final int PAGES = 5;

	private static final int BARS = 48;

	private static final long SECOND = 1000;

	/** What is in the history is not counted. */
	private static final List<JobListState> COUNTED = List.of(JobListState.FAILED, JobListState.RUNNING,
			JobListState.STARTING, JobListState.STUCK, JobListState.QUEUED, JobListState.BLOCKED,
			JobListState.SCHEDULED);

	/**
	 * No index leads to them: they are looked for among scheduled jobs if these are few.
	 */
	private static final List<JobListState> SCHEDULED = List.of(JobListState.RETRYING, JobListState.WAITING);

	private final JobSearch search;

	JobSummaries(JobSearch search) {
		this.search = search;
	}

	/** Summarizes the jobs of a filter, of which these are the words. */
	Found find(JobFilter filter, Map<String, List<String>> words) {
		long end = System.nanoTime() + TIME.toNanos();
		Times times = times(filter, end);
		return new Found(counts(words, end), times);
	}

	private Map<String, Count> counts(Map<String, List<String>> words, long end) {
		Map<String, Count> counts = new LinkedHashMap<>();
		count(COUNTED, words, end, counts);
		Count scheduled = counts.get(JobListState.SCHEDULED.label());
		if (scheduled != null && scheduled.kind().equals(Count.EXACT)) {
			count(SCHEDULED, words, end, counts);
		}
		return counts;
	}

	private void count(List<JobListState> states, Map<String, List<String>> words, long end,
			Map<String, Count> counts) {
		for (JobListState state : states) {
			if (System.nanoTime() - end > 0) {
				return;
			}
			Map<String, List<String>> ofState = new HashMap<>(words);
			ofState.put("state", List.of(state.label()));
			ofState.remove("-state");
			BoundedCount found = Reads.checked(() -> this.search.count(JobFilter.of(ofState)));
			counts.put(state.label(), found.exact() ? Count.exact(found.value()) : Count.atLeast(found.value()));
		}
	}

	private Times times(JobFilter filter, long end) {
		Moment moment = Moment.of(filter.states());
		List<Instant> found = new ArrayList<>();
		String cursor = null;
		int pages = 0;
		do {
			String position = cursor;
			JobPage page = Reads.checked(() -> this.search.find(filter, position, JobSearch.MAX_PAGE));
			page.jobs().stream().flatMap((job) -> Stream.ofNullable(moment.at(job))).forEach(found::add);
			cursor = page.next();
			pages++;
		}
		while (cursor != null && pages < PAGES && System.nanoTime() - end < 0);
		return Times.of(Views.label(moment), found, cursor == null);
	}

	/** The time that says most of the jobs of some states. */
	private enum Moment {

		DUE, STARTED, ENDED;

		@Nullable Instant at(JobView job) {
			return switch (this) {
				case DUE -> job.runAt();
				case STARTED -> job.startedAt();
				case ENDED -> job.finishedAt();
			};
		}

		static Moment of(Set<JobListState> states) {
			if (!states.isEmpty() && JobListState.LEASED.containsAll(states)) {
				return STARTED;
			}
			boolean ended = !states.isEmpty() && states.stream()
				.allMatch((state) -> state == JobListState.FAILED || JobListState.FINISHED.contains(state));
			return ended ? ENDED : DUE;
		}

	}

	record Found(Map<String, Count> counts, Times times) {

	}

	/**
	 * How many jobs have their time in each of some spans.
	 *
	 * @param of which time, as the filter calls it
	 * @param from where the first span begins; {@code null}: there are no jobs
	 * @param stepMs how long each span is
	 * @param jobs how many jobs there are in each of them
	 * @param complete whether these are all jobs of the list
	 */
	record Times(String of, @Nullable Instant from, long stepMs, List<Integer> jobs, boolean complete) {

		static Times of(String word, List<Instant> times, boolean complete) {
			if (times.isEmpty()) {
				return new Times(word, null, SECOND, List.of(), complete);
			}
			long first = times.stream().mapToLong(Instant::toEpochMilli).min().getAsLong() / SECOND * SECOND;
			long last = times.stream().mapToLong(Instant::toEpochMilli).max().getAsLong();
			long step = SECOND * (1 + (last - first) / SECOND / BARS);
			int[] jobs = new int[(int) ((last - first) / step) + 1];
			times.forEach((time) -> jobs[(int) ((time.toEpochMilli() - first) / step)]++);
			return new Times(word, Instant.ofEpochMilli(first), step, Arrays.stream(jobs).boxed().toList(), complete);
		}

	}

}
