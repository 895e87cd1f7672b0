package io.rowqueue.engine.search;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import io.rowqueue.admin.JobPage;
import io.rowqueue.admin.JobView;
import io.rowqueue.admin.SearchProgress.Stop;
import io.rowqueue.admin.filter.JobFilter;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** How far a page is read. */
class JobWalkTests {

	private final AtomicLong clock = new AtomicLong();

	/**
	 * Else the server would cancel each search of jobs with payloads of some kilobytes in
	 * its second or third statement, and no page would ever be shown.
	 */
	@ParameterizedTest
	@ValueSource(longs = { 1, 50, 125, 200, 400, 800, 1500 })
	void aLargerPieceIsReadOnlyIfThatTakesNoLongerThanAStatementMay(long microsPerJob) {
		SlowSource source = new SlowSource(Duration.ofNanos(1000 * microsPerJob), Integer.MAX_VALUE);
		JobPage page = page(source);
		assertThat(source.longest).isLessThan(JobSearchStore.STATEMENT_TIMEOUT);
		assertThat(page.next()).isNotNull();
		assertThat(page.searched().because()).isEqualTo((microsPerJob == 1) ? Stop.ROWS : Stop.TIME);
	}

	@Test
	void aListThatEndsIsComplete() {
		JobPage page = page(new SlowSource(Duration.ofNanos(1000), 20_000));
		assertThat(page.searched().complete()).isTrue();
		assertThat(page.next()).isNull();
	}

	private JobPage page(JobSource source) {
		return JobWalk.page(JobFilter.ALL, source, source.start(), 50, JobSearchStore.SEARCH_TIME, this.clock::get);
	}

	/** Looks at jobs that the filter does not select. */
	private final class SlowSource implements JobSource {

		private final Duration perJob;

		private final int jobs;

		private Duration longest = Duration.ZERO;

		SlowSource(Duration perJob, int jobs) {
			this.perJob = perJob;
			this.jobs = jobs;
		}

		@Override
		public String name() {
			return "SLOW";
		}

		@Override
		public List<String> start() {
			return List.of("0");
		}

		@Override
		public long budget() {
			return 50_000;
		}

		@Override
		public Chunk read(List<String> after, int round, int hits) {
			int from = Integer.parseInt(after.get(0));
			int size = Math.min(500 << Math.min(2 * round, 4), this.jobs - from);
			Duration time = this.perJob.multipliedBy(size);
			JobWalkTests.this.clock.addAndGet(time.toNanos());
			this.longest = (time.compareTo(this.longest) > 0) ? time : this.longest;
			int end = from + size;
			return new Chunk(List.of(), size, (end < this.jobs) ? List.of(String.valueOf(end)) : null, null);
		}

		@Override
		public @Nullable Instant time(JobView job) {
			return null;
		}

	}

}
