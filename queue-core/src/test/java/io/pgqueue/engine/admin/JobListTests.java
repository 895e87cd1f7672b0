package io.pgqueue.engine.admin;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import io.pgqueue.JobRequest;
import io.pgqueue.JobState;
import io.pgqueue.admin.JobPage;
import io.pgqueue.admin.JobView;
import io.pgqueue.admin.QueueOverview;
import io.pgqueue.testing.StoreDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/** Jobs in pages, the latest first, at a bounded cost. */
class JobListTests {

	@RegisterExtension
	static final StoreDatabase database = new StoreDatabase();

	private final QueueOverview overview = new DefaultQueueOverview(new OverviewStore(database.queueDatabase()),
			database.jobs().jobs());

	@Test
	void pagesFollowEachOtherWithoutGapsAndRepetitions() {
		List<Long> ids = new ArrayList<>();
		for (int i = 0; i < 250; i++) {
			ids.add(database.enqueue(JobRequest.of((i % 2 == 0) ? "even" : "odd")));
		}
		Collections.reverse(ids);
		assertThat(pages(null)).isEqualTo(ids);
		assertThat(pages("odd")).hasSize(125).isSubsetOf(ids);
		assertThat(this.overview.jobs(JobState.FAILED, null, null, Long.MAX_VALUE))
			.isEqualTo(new JobPage(List.of(), null));
	}

	/** A page without jobs is not the last one: it says where to go on. */
	@Test
	void aPageReadsALimitedNumberOfJobs() {
		long rare = database.enqueue(JobRequest.of("rare"));
		database.jdbc()
			.update("insert into pgqueue.job (queue, type, state, run_at, order_at)"
					+ " select 'default', 'common', 'queued', clock_timestamp(), clock_timestamp()"
					+ " from generate_series(1, " + OverviewStore.MAX_JOBS_READ + ")");
		JobPage first = this.overview.jobs(null, null, "rare", Long.MAX_VALUE);
		assertThat(first.jobs()).isEmpty();
		assertThat(first.before()).isNotNull();
		assertThat(this.overview.jobs(null, null, "rare", first.before()).jobs()).singleElement()
			.extracting(JobView::id)
			.isEqualTo(rare);
	}

	private List<Long> pages(String type) {
		List<Long> ids = new ArrayList<>();
		Long before = Long.MAX_VALUE;
		while (before != null) {
			JobPage page = this.overview.jobs(null, null, type, before);
			page.jobs().forEach((job) -> ids.add(job.id()));
			before = page.before();
		}
		return ids;
	}

}
