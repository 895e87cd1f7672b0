package io.rowqueue.engine.search;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.LongStream;

import io.rowqueue.admin.JobPage;
import io.rowqueue.admin.JobView;
import io.rowqueue.admin.filter.JobFilter;
import io.rowqueue.testing.StoreDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Rows of a day lie in the order of time, as long as nothing was deleted from it: so
 * these tests have a database of their own.
 */
class HistoryOfATimeTests {

	private static final Duration PATIENCE = Duration.ofMinutes(5);

	@RegisterExtension
	static final StoreDatabase database = new StoreDatabase();

	private final JobSearchStore search = new JobSearchStore(database.queueDatabase(), PATIENCE, PATIENCE);

	@Test
	void jobsOfATimeAreFoundWithoutReadingAllThatEndedLater() {
		database
			.update("""
					insert into {schema}.job_finished (id, run_at, created_at, finished_at, state, priority, attempt, queue, type)
					select i, t, t, t, 'succeeded', 0, 1, 'default', 'timed'
					from generate_series(1, 60000) i, lateral (
						select date_trunc('day', now(), 'UTC') + i * interval '1 second' as t) ended""");
		String day = database.queueDatabase()
			.query("select (now() at time zone 'UTC')::date::text", (row, index) -> row.getString(1))
			.get(0);
		JobFilter filter = JobFilter.ofQuery("state=succeeded&ended=%1$sT01:00:00Z..%1$sT01:00:09.5Z".formatted(day));
		JobPage page = this.search.find(filter, null, 50);
		List<Long> ids = page.jobs().stream().map(JobView::id).toList();
		assertThat(ids)
			.isEqualTo(LongStream.rangeClosed(3600, 3609).boxed().sorted(Comparator.reverseOrder()).toList());
		assertThat(page.searched().complete()).isTrue();
		assertThat(page.searched().rows()).as("of 60,000").isLessThan(15_000);
	}

}
