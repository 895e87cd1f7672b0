package io.rowqueue.engine.search;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;

import io.rowqueue.JobRequest;
import io.rowqueue.admin.BoundedCount;
import io.rowqueue.admin.JobDetails;
import io.rowqueue.admin.JobPage;
import io.rowqueue.admin.JobSearch;
import io.rowqueue.admin.JobView;
import io.rowqueue.admin.SearchProgress.Stop;
import io.rowqueue.admin.filter.JobFilter;
import io.rowqueue.admin.filter.JobListState;
import io.rowqueue.admin.filter.TimeRange;
import io.rowqueue.engine.lease.ClaimedJob;
import io.rowqueue.testing.StoreDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.dao.DataAccessException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** Lists of jobs in pages, live and finished. */
class JobSearchTests {

	private static final Duration PATIENCE = Duration.ofMinutes(5);

	@RegisterExtension
	static final StoreDatabase database = new StoreDatabase();

	private final JobSearch search = new JobSearchStore(database.queueDatabase(), PATIENCE, PATIENCE);

	@ParameterizedTest
	@EnumSource(JobListState.class)
	void thePagesOfAStateHaveEachOfItsJobsOnce(JobListState state) {
		long worker = database.worker();
		long dead = database.worker();
		database.kill(dead);
		insert(1, 120, state, (state == JobListState.STUCK) ? dead : worker);
		for (JobListState other : JobListState.values()) {
			boolean part = Set.of(JobListState.RETRYING, JobListState.WAITING).contains(other)
					&& state == JobListState.SCHEDULED;
			if (other != state && !part) {
				insert(1000 * (other.ordinal() + 1), 7, other, (other == JobListState.STUCK) ? dead : worker);
			}
		}
		JobFilter filter = JobFilter.builder().state(state).build();
		assertThat(pages(filter, 25)).hasSize(120)
			.doesNotHaveDuplicates()
			.containsExactlyInAnyOrderElementsOf(LongStream.rangeClosed(1, 120).boxed().toList());
		assertThat(this.search.count(filter)).isEqualTo(new BoundedCount(120, true));
	}

	@Test
	void jobsThatHaveNotFinishedComeTheLatestFirst() {
		List<Long> ids = new ArrayList<>();
		for (int i = 0; i < 250; i++) {
			ids.add(database.enqueue(JobRequest.of((i % 2 == 0) ? "even" : "odd")));
		}
		Collections.reverse(ids);
		assertThat(pages(JobFilter.ALL, 100)).isEqualTo(ids);
		assertThat(pages(JobFilter.builder().state(JobListState.UNFINISHED.toArray(JobListState[]::new)).build(), 100))
			.isEqualTo(ids);
		assertThat(pages(JobFilter.builder().type("odd").build(), 100)).hasSize(125).isSubsetOf(ids);
	}

	@Test
	void queuedJobsComeInTheOrderInWhichTheyAreClaimed() {
		long later = database.enqueue(JobRequest.of("a").queue("mail"));
		long last = database.enqueue(JobRequest.of("b").queue("mail").priority(-1));
		long first = database.enqueue(JobRequest.of("a").queue("web").priority(5));
		assertThat(pages(JobFilter.builder().state(JobListState.QUEUED).build(), 1)).containsExactly(first, later,
				last);
		assertThat(pages(JobFilter.builder().state(JobListState.QUEUED).queue("mail").build(), 1))
			.containsExactly(later, last);
		assertThat(pages(JobFilter.builder().state(JobListState.QUEUED).type("b").build(), 1)).containsExactly(last);
	}

	/** A page without jobs is not the last one: it says where to go on. */
	@Test
	void aSearchThatEndsBeforeAllWasLookedAtSaysSo() {
		long rare = database.enqueue(JobRequest.of("rare"));
		insert(1_000_000, 60_000, JobListState.QUEUED, 0);
		JobFilter filter = JobFilter.builder().type("rare").build();
		JobPage first = this.search.find(filter, null, 10);
		assertThat(first.jobs()).isEmpty();
		assertThat(first.searched().because()).isEqualTo(Stop.ROWS);
		assertThat(first.searched().rows()).isBetween(50_000L, 60_000L);
		assertThat(first.searched().until()).isNotNull();
		JobPage next = this.search.find(filter, first.next(), 10);
		assertThat(next.jobs()).extracting(JobView::id).containsExactly(rare);
		assertThat(next.searched().complete()).isTrue();
		assertThat(next.next()).isNull();
	}

	@Test
	void aSearchEndsAfterItsMaximumDuration() {
		insert(1, 600, JobListState.QUEUED, 0);
		JobPage page = new JobSearchStore(database.queueDatabase(), PATIENCE, Duration.ZERO)
			.find(JobFilter.builder().type("rare").build(), null, 10);
		assertThat(page.searched().because()).isEqualTo(Stop.TIME);
		assertThat(page.next()).isNotNull();
	}

	@Test
	void aStatementThatTakesTooLongFails() {
		insert(1, 5000, JobListState.QUEUED, 0);
		assertThatExceptionOfType(DataAccessException.class)
			.isThrownBy(() -> new JobSearchStore(database.queueDatabase(), Duration.ofMillis(1), PATIENCE)
				.find(JobFilter.builder().text("nowhere").build(), null, 10));
	}

	@Test
	void finishedJobsAreFoundByWhatTheirPayloadContains() {
		insert(1, 300, JobListState.SUCCEEDED, 0);
		database.update("update {schema}.job_finished set payload = '{\"customer\": \"50%_OFF\\\\\"}' where id = 42");
		JobFilter filter = JobFilter.builder()
			.state(JobListState.SUCCEEDED, JobListState.CANCELLED)
			.text("50%_off\\")
			.build();
		assertThat(pages(filter, 10)).containsExactly(42L);
		assertThat(pages(JobFilter.builder().state(JobListState.SUCCEEDED).text("5__").build(), 10)).isEmpty();
	}

	/** JSON writes some characters in another way. */
	@Test
	void aTextIsFoundInAPayloadAsItIsAndAsItIsWritten() {
		insert(1, 30, JobListState.QUEUED, 0);
		database.update("update {schema}.job set payload = ? ::json where id = 7",
				"{\"path\": \"C:\\\\temp\\\\\\\"new\\\"\"}");
		for (String text : List.of("C:\\temp", "\\\"new\"", "C:\\\\temp", "\"path\": \"C:")) {
			assertThat(pages(JobFilter.builder().text(text).build(), 10)).as(text).containsExactly(7L);
		}
	}

	@Test
	void jobsAreFoundByTheirAttempts() {
		insert(1, 30, JobListState.QUEUED, 0);
		database.update("update {schema}.job set attempt = id % 5");
		assertThat(pages(JobFilter.ofQuery("attempt=3"), 4)).hasSize(6).allMatch((id) -> id % 5 == 3);
		assertThat(pages(JobFilter.ofQuery("attempt=%3E2&state=queued"), 4)).hasSize(12).allMatch((id) -> id % 5 > 2);
	}

	@Test
	void excludedJobsAreLeftOut() {
		insert(1, 10, JobListState.QUEUED, 0);
		insert(101, 10, JobListState.FAILED, 0);
		insert(201, 10, JobListState.RETRYING, 0);
		insert(301, 10, JobListState.SUCCEEDED, 0);
		insert(401, 10, JobListState.CANCELLED, 0);
		database.update("update {schema}.job set type = 'other' where id % 10 = 1");
		database.update("update {schema}.job set queue = 'mail' where id % 10 = 2");
		assertThat(pages(JobFilter.ofQuery("-state=failed"), 7)).hasSize(20).noneMatch((id) -> id > 100 && id < 200);
		assertThat(pages(JobFilter.ofQuery("-state=retrying"), 7)).hasSize(20).noneMatch((id) -> id > 200);
		assertThat(pages(JobFilter.ofQuery("state=queued&-type=other&-queue=mail"), 7)).hasSize(8);
		assertThat(pages(JobFilter.ofQuery("state=failed&-type=other&-type=type"), 7)).isEmpty();
		assertThat(pages(JobFilter.ofQuery("state=succeeded&state=cancelled&-state=cancelled"), 7)).hasSize(10)
			.allMatch((id) -> id < 400);
	}

	@Test
	void jobsAreFoundByTheTextOfTheirError() {
		insert(1, 10, JobListState.FAILED, 0);
		insert(101, 10, JobListState.SUCCEEDED, 0);
		database.update("update {schema}.job set last_error = 'java.io.IOException: Refused' where id <= 3");
		database.update("update {schema}.job_finished set last_error = 'refused, too' where id = 105");
		assertThat(pages(JobFilter.ofQuery("error=REFUSED"), 2)).containsExactlyInAnyOrder(1L, 2L, 3L);
		assertThat(pages(JobFilter.ofQuery("state=failed&-error=refused"), 2)).hasSize(7).allMatch((id) -> id > 3);
		assertThat(pages(JobFilter.ofQuery("state=succeeded&error=refused"), 2)).containsExactly(105L);
	}

	/** A failure whose job is no longer kept does not end the list. */
	@Test
	void jobsAreFoundByTheFingerprintOfTheirLastErrorOnly() {
		insert(1, 700, JobListState.FAILED, 0);
		insert(1001, 5, JobListState.SUCCEEDED, 0);
		database.update("update {schema}.job set last_error = 'error'");
		database.update("update {schema}.job_finished set last_error = 'error'");
		database.update("""
				insert into {schema}.job_failure (job_id, failed_at, attempt, error, error_group)
				select id, now() - id * interval '1 second', 1, 'error', 171 from generate_series(1, 1010) id""");
		database.update("""
				insert into {schema}.job_failure (job_id, failed_at, attempt, error, error_group)
				values (7, now(), 2, 'other', 172), (8, now(), 2, 'same', 171)""");
		JobFilter failed = JobFilter.ofQuery("state=failed&error=00000000000000ab");
		assertThat(pages(failed, 100)).hasSize(699).doesNotHaveDuplicates().startsWith(8L, 1L).doesNotContain(7L);
		assertThat(this.search.count(failed)).isEqualTo(new BoundedCount(699, true));
		assertThat(pages(JobFilter.ofQuery("state=succeeded&error=00000000000000ab"), 3)).hasSize(5);
		assertThat(pages(JobFilter.ofQuery("state=failed&-error=00000000000000ab"), 3)).containsExactly(7L);
		assertThat(pages(JobFilter.ofQuery("error=00000000000000ff"), 3)).isEmpty();
	}

	@Test
	void finishedJobsComeTheLatestFirstOverAllDays() {
		insert(1, 30, JobListState.SUCCEEDED, 0);
		database
			.update("update {schema}.job_finished set finished_at = finished_at - interval '40 days' where id <= 10");
		JobFilter filter = JobFilter.builder().state(JobListState.SUCCEEDED).build();
		assertThat(pages(filter, 7)).hasSize(30).doesNotHaveDuplicates();
		Instant now = Instant.now();
		assertThat(pages(JobFilter.builder()
			.state(JobListState.SUCCEEDED)
			.ended(new TimeRange(now.minus(Duration.ofDays(50)), now.minus(Duration.ofDays(30))))
			.build(), 7)).hasSize(10);
	}

	/** A database administrator may have attached older jobs again. */
	@Test
	void finishedJobsOfAnAttachedPartitionAreFoundWhateverItsNameIs() {
		database.update("create table {schema}.\"Jobs' of 2019\" partition of {schema}.job_finished"
				+ " for values from ('2019-01-01 00:00Z') to ('2020-01-01 00:00Z')");
		try {
			insert(1, 10, JobListState.SUCCEEDED, 0);
			database.update("update {schema}.job_finished set finished_at = '2019-06-01 00:00Z' where id <= 5");
			JobFilter filter = JobFilter.builder().state(JobListState.SUCCEEDED).build();
			assertThat(pages(filter, 3)).hasSize(10).doesNotHaveDuplicates();
		}
		finally {
			database.update("drop table {schema}.\"Jobs' of 2019\"");
		}
	}

	/**
	 * In a table whose old jobs are deleted row by row, new jobs take the places of
	 * deleted ones.
	 */
	@Test
	void finishedJobsOfATimeAreFoundWhereverTheyAreStored() {
		database.execute(
				"""
						do $$ begin
							insert into {schema}.job_finished (id, queue, type, state, run_at, created_at, finished_at, priority, attempt)
							select id, 'default', 'type', 'succeeded', now(), now(), timestamptz '2020-02-02 00:00Z'
								+ case when id <= 10 then interval '5 hours' else interval '0' end, 0, 1
							from generate_series(1, 12000) id;
							delete from {schema}.job_finished where id = 12000;
							perform pg_stat_force_next_flush();
						end $$""");
		JobFilter filter = JobFilter.builder()
			.state(JobListState.SUCCEEDED)
			.ended(new TimeRange(Instant.parse("2020-02-02T04:00:00Z"), Instant.parse("2020-02-02T06:00:00Z")))
			.build();
		assertThat(pages(filter, 100)).hasSize(10);
		assertThat(this.search.count(filter)).isEqualTo(new BoundedCount(10, true));
	}

	@Test
	void theJobsOfAFlowThatAreKeptAreListedWhereOthersOfItAreNot() {
		insert(2001, 5, JobListState.FAILED, 0);
		database.update("insert into {schema}.flow_job (flow_id, name, job_id)"
				+ " select 7, 'job-' || i, i from generate_series(1, 2005) i");
		assertThat(pages(JobFilter.builder().flow(7).build(), 10)).containsExactly(2001L, 2002L, 2003L, 2004L, 2005L);
		JobFilter failed = JobFilter.builder().flow(7).state(JobListState.FAILED).build();
		assertThat(pages(failed, 3)).containsExactly(2001L, 2002L, 2003L, 2004L, 2005L);
		assertThat(this.search.count(failed)).isEqualTo(new BoundedCount(5, true));
	}

	@Test
	void jobsOfAKeyAreFoundWhereverTheyAre() {
		long waiting = database.enqueue(JobRequest.of("type").uniqueKey("order-1"));
		long other = database.enqueue(JobRequest.of("type").uniqueKey("order-2").limitKey("customer:1"));
		insert(1000, 1, JobListState.FAILED, 0);
		database.update("update {schema}.job set unique_key = 'order-1' where id = 1000");
		assertThat(pages(JobFilter.builder().uniqueKey("order-1").build(), 10)).containsExactlyInAnyOrder(waiting,
				1000L);
		assertThat(pages(JobFilter.builder().limitKey("customer:1").build(), 10)).containsExactly(other);
		assertThat(pages(JobFilter.builder().id(other, 4711L).build(), 10)).containsExactly(other);
	}

	@Test
	void jobsOfAWorkerAreThoseThatItHolds() {
		long worker = database.worker();
		long held = database.lease(worker, "type").jobId();
		database.enqueue(JobRequest.of("type"));
		assertThat(pages(JobFilter.builder().worker(worker).build(), 10)).containsExactly(held);
		assertThat(pages(JobFilter.builder().worker(worker + 1).build(), 10)).isEmpty();
	}

	@Test
	void aCursorIsGoodForItsFilterOnly() {
		insert(1, 30, JobListState.QUEUED, 0);
		String cursor = this.search.find(JobFilter.ALL, null, 10).next();
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.search.find(JobFilter.builder().type("type").build(), cursor, 10))
			.withMessageContaining("another filter");
		for (String invalid : List.of("", "%", "bm9uZQ", cursor + "AAAA")) {
			assertThatIllegalArgumentException().isThrownBy(() -> this.search.find(JobFilter.ALL, invalid, 10));
		}
	}

	@Test
	void oneJobHasAllThatIsKnownOfIt() {
		long worker = database.worker();
		ClaimedJob job = claimed(worker);
		long id = job.lease().jobId();
		database.update(
				"insert into {schema}.job_failure (job_id, failed_at, attempt, error) values (?, now(), 1, 'no')", id);
		database.update(
				"insert into {schema}.job_step (job_id, name, lease, finished_at) values (?, 'first', 1, now())", id);
		database.update("insert into {schema}.job_progress values (?, 1, 1, 3, 10, 'on the way', now())", id);
		database.update("update {schema}.job set payload = to_json(repeat('x', 300000)) where id = ?", id);
		JobDetails before = this.search.details(id).orElseThrow();
		assertThat(before.job().state()).isEqualTo("starting");
		assertThat(before.payload().text()).hasSize(JobDetails.MAX_TEXT);
		assertThat(before.payload().length()).isEqualTo(300_002);
		assertThat(before.payload().isTruncated()).isTrue();
		assertThat(before.failures()).singleElement().extracting("error").isEqualTo("no");
		assertThat(before.steps()).singleElement().extracting("name").isEqualTo("first");
		assertThat(before.progress().done()).isEqualTo(3);
		assertThat(this.search.details(id).orElseThrow().revision()).isEqualTo(before.revision());
		assertThat(database.jobs().succeed(worker, List.of(job.lease()))).containsExactly(id);
		JobDetails after = this.search.details(id).orElseThrow();
		assertThat(after.job().state()).isEqualTo("succeeded");
		assertThat(after.job().finishedAt()).isNotNull();
		assertThat(after.revision()).isNotEqualTo(before.revision());
		assertThat(this.search.details(4711)).isEmpty();
	}

	private static ClaimedJob claimed(long worker) {
		database.enqueue(JobRequest.of("type"));
		return database.claimOne(worker);
	}

	private List<Long> pages(JobFilter filter, int size) {
		List<Long> ids = new ArrayList<>();
		String cursor = null;
		do {
			JobPage page = this.search.find(filter, cursor, size);
			page.jobs().forEach((job) -> ids.add(job.id()));
			cursor = page.next();
		}
		while (cursor != null);
		return ids;
	}

	private static void insert(long first, int jobs, JobListState state, long worker) {
		switch (state) {
			case SUCCEEDED,
					CANCELLED ->
				database
					.update("""
							insert into {schema}.job_finished (id, queue, type, state, run_at, created_at, finished_at, priority, attempt)
							select id, 'default', 'type', '%s', now(), now(), clock_timestamp(), 0, 1 from generate_series(?, ?) id"""
						.formatted(state.label()), first, first + jobs - 1);
			default -> live(first, first + jobs - 1, state, worker);
		}
	}

	private static void live(long first, long last, JobListState state, long worker) {
		boolean leased = JobListState.LEASED.contains(state);
		String stored = switch (state) {
			case RETRYING, WAITING -> "scheduled";
			case STUCK -> "running";
			default -> state.label();
		};
		database.update(
				"""
						insert into {schema}.job (id, queue, type, state, run_at, order_at, leased_at, attempt, worker_id)
						select id, 'default', 'type', '%s', now(), now(), %s, %s, %s from generate_series(?, ?) id"""
					.formatted(stored, (leased || state == JobListState.FAILED) ? "now()" : "null",
							(state == JobListState.RETRYING) ? 1 : 0, leased ? String.valueOf(worker) : "null"),
				first, last);
		if (state == JobListState.WAITING) {
			database.update(
					"insert into {schema}.job_wait (job_id, kind, name, lease, began_at, until)"
							+ " select id, 'signal', 'approval', 0, now(), now() from generate_series(?, ?) id",
					first, last);
		}
		if (leased) {
			database.update("insert into {schema}.claim (worker_id, job_ids)"
					+ " select ?, array_agg(id) from generate_series(?, ?) id", worker, first, last);
		}
	}

}
