package io.rowqueue.engine.search;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import io.rowqueue.admin.JobPage;
import io.rowqueue.admin.JobSearch;
import io.rowqueue.admin.JobView;
import io.rowqueue.admin.filter.JobFilter;
import io.rowqueue.admin.filter.JobFilterBuilder;
import io.rowqueue.admin.filter.JobListState;
import io.rowqueue.admin.filter.TimeRange;
import io.rowqueue.admin.QueueOverview;
import io.rowqueue.engine.admin.OverviewStore;
import io.rowqueue.engine.control.ChangeScope;
import io.rowqueue.engine.control.FailedJobStore.FailedJob;
import io.rowqueue.engine.control.FailedJobStore;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.explain.ExplainAllStatement;
import io.rowqueue.schema.SchemaName;
import io.rowqueue.testing.ExplainedStatements;
import io.rowqueue.testing.StoreDatabase;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What each read for a list costs among many jobs, in blocks of 8 kB: unlike times they
 * are the same on every machine. A bound is about twice what was read when it was set;
 * the table of 200,000 waiting jobs has about 14,000 blocks.
 */
@Tag("thorough")
class SearchCostTests {

	private static final int PAGE = 50;

	/** Of a million jobs and more, the test also writes what it has read. */
	private static final int WAITING = Integer.getInteger("cost.waiting", 200_000);

	private static final int FINISHED = Integer.getInteger("cost.finished", 400_000);

	private static final boolean MANY = WAITING >= 1_000_000;

	/** A walk that finds nothing looks at 50,000 live jobs. */
	private static final long WALK = 55_000;

	@RegisterExtension
	static final StoreDatabase database = new StoreDatabase().withNewFiles();

	/** Within one node of a plan. */
	private static final Pattern SCAN_OF_ALL = Pattern
		.compile("\"Seq Scan\",[^{}]*\"Relation Name\": \"job(_finished_\\w+)?\"");

	private final ExplainedStatements statements = new ExplainedStatements(database.direct());

	private final JobSearch search = new JobSearchStore(
			new QueueDatabase(new JdbcTemplate(this.statements), SchemaName.DEFAULT), Duration.ofMinutes(5),
			Duration.ofMinutes(5));

	private final QueueDatabase explained = new QueueDatabase(new JdbcTemplate(this.statements), SchemaName.DEFAULT);

	private final Map<String, Cost> costs = new LinkedHashMap<>();

	@Test
	void noReadCostsMoreThanItsBoundWhateverTheNumberOfJobs() throws SQLException {
		fill();
		this.statements.blocks();
		cases().forEach((name, bounded) -> {
			JobPage first = this.search.find(bounded.filter(), null, PAGE);
			cost(name, bounded.blocks());
			if (first.next() != null) {
				this.search.find(bounded.filter(), first.next(), PAGE);
				cost(name + ", second page", bounded.blocks());
			}
		});
		this.search.count(filter(JobListState.QUEUED).build());
		cost("count of queued jobs", 4000);
		this.search.count(finished().build());
		cost("count of finished jobs", 6000);
		this.search.details(150_000);
		cost("one job", 150);
		List<Long> page = this.search.find(filter(JobListState.QUEUED).build(), null, PAGE)
			.jobs()
			.stream()
			.map(JobView::id)
			.toList();
		this.statements.blocks();
		this.statements.millis();
		assertThat(new ExplainAllStatement(this.explained).execute(page)).hasSize(PAGE);
		cost("why the jobs of a page wait", 3000);
		OverviewStore overview = new OverviewStore(this.explained);
		overview.lanes(null, null);
		cost("lanes", 2000);
		overview.workers(QueueOverview.MAX_RESULTS);
		cost("workers", 2000);
		overview.running(20);
		cost("what runs", 2000);
		overview.failures(20);
		cost("the latest failures", 600);
		blocksOfFailed();
		cost("a batch of failed jobs to retry", 1200);
		if (MANY) {
			this.costs.forEach((name, cost) -> System.out.printf("| %s | %,d | %,d | %.1f |%n", name, cost.blocks(),
					cost.bound(), cost.millis()));
		}
		assertThat(this.costs)
			.allSatisfy((name, cost) -> assertThat(cost.blocks()).as(name).isBetween(0L, cost.bound()));
		assertThat(this.statements.plans()).noneMatch((plan) -> SCAN_OF_ALL.matcher(plan).find());
	}

	/** Of the statements since the last call. */
	private void cost(String name, long bound) {
		this.costs.put(name, new Cost(this.statements.blocks(), bound, this.statements.millis()));
	}

	/** Under the setting of the connections of workers. */
	private void blocksOfFailed() throws SQLException {
		try (Connection connection = this.statements.getConnection()) {
			JdbcTemplate jdbc = new JdbcTemplate(new SingleConnectionDataSource(connection, true));
			jdbc.execute("set enable_seqscan = off");
			QueueDatabase database = new QueueDatabase(jdbc, SchemaName.DEFAULT);
			FailedJobStore store = new FailedJobStore(database, ChangeScope.separate(database));
			Instant now = store.now();
			FailedJob middle = store.failed(null, null, now, FailedJob.NONE, 500).get(499);
			this.statements.blocks();
			this.statements.millis();
			assertThat(store.failed(null, null, now, middle, 500)).hasSize(500);
		}
	}

	private Map<String, Bounded> cases() {
		Map<String, Bounded> cases = new LinkedHashMap<>();
		cases.put("all live jobs", new Bounded(JobFilter.ALL, 600));
		cases.put("queued", new Bounded(filter(JobListState.QUEUED).build(), 12_000));
		cases.put("queued of a queue", new Bounded(filter(JobListState.QUEUED).queue("queue-1").build(), 1600));
		cases.put("queued of a type",
				new Bounded(filter(JobListState.QUEUED).queue("queue-1").type("type-1").build(), 800));
		cases.put("scheduled", new Bounded(filter(JobListState.SCHEDULED).build(), 600));
		cases.put("scheduled of a queue", new Bounded(filter(JobListState.SCHEDULED).queue("queue-1").build(), 5600));
		cases.put("retrying", new Bounded(filter(JobListState.RETRYING).build(), 50_000, WALK));
		cases.put("failed", new Bounded(filter(JobListState.FAILED).build(), 700));
		cases.put("failed of a queue", new Bounded(filter(JobListState.FAILED).queue("queue-1").build(), 800));
		cases.put("failed of a type", new Bounded(filter(JobListState.FAILED).type("type-1").build(), 5000, WALK));
		cases.put("failed with an error", new Bounded(JobFilter.ofQuery("state=failed&error=0000000000000007"), 9000));
		cases.put("failed with a text that none has",
				new Bounded(JobFilter.ofQuery("state=failed&error=nowhere"), 5000, WALK));
		cases.put("failed, but not of a type", new Bounded(JobFilter.ofQuery("state=failed&-type=type-1"), 5000));
		cases.put("live, but not queued", new Bounded(JobFilter.ofQuery("-state=queued"), 3000));
		cases.put("after three attempts", new Bounded(JobFilter.ofQuery("attempt=%3E3"), 4000));
		cases.put("blocked", new Bounded(filter(JobListState.BLOCKED).build(), 700));
		cases.put("running", new Bounded(filter(JobListState.RUNNING, JobListState.STARTING).build(), 2500));
		cases.put("by unique key", new Bounded(JobFilter.builder().uniqueKey("key-500").build(), 4500, 25_000));
		cases.put("by limit key", new Bounded(JobFilter.builder().limitKey("customer:1").build(), 700, 6000));
		cases.put("of a batch", new Bounded(JobFilter.builder().batch(7).build(), 600));
		cases.put("by id", new Bounded(JobFilter.builder().id(5L, 150_000L, 300_000L).build(), 100));
		cases.put("finished", new Bounded(finished().build(), 450));
		cases.put("succeeded of a type", new Bounded(finished().type("type-1").build(), 600));
		cases.put("finished in a time", new Bounded(
				finished().ended(new TimeRange(Instant.now().minus(Duration.ofHours(1)), null)).build(), 600));
		cases.put("finished with a text", new Bounded(finished().text("\"n\":" + (FINISHED - 1000)).build(), 6500));
		cases.put("finished with a text that none has", new Bounded(finished().text("nowhere").build(), 6500));
		return cases;
	}

	private static JobFilterBuilder filter(JobListState... states) {
		return JobFilter.builder().state(states);
	}

	private static JobFilterBuilder finished() {
		return filter(JobListState.SUCCEEDED, JobListState.CANCELLED);
	}

	/** Ten queues of ten types; one in a hundred jobs is in each state that is rare. */
	private void fill() {
		long worker = database.worker();
		database.execute(
				"""
						insert into {schema}.job (id, queue, type, state, run_at, order_at, leased_at, priority, attempt, unique_key,
							limit_key, batch_id, payload, last_error, worker_id)
						select id, 'queue-' || id % 10, 'type-' || (id / 10) % 10, (case
								when id % 100 = 50 then 'failed' when id % 100 = 51 then 'blocked' when id % 1000 = 52 then 'running'
								when id % 100 between 60 and 70 then 'scheduled' else 'queued' end)::{schema}.job_state,
							clock_timestamp() + (id %% 10000) * interval '1 second', clock_timestamp() + (id %% 10000) * interval '1 second',
							case when id % 100 in (50, 52) then clock_timestamp() end, 0, (id % 100 in (50, 52))::int,
							case when id % 100 = 0 then 'key-' || id end, case when id % 20 = 1 then 'customer:' || id % 10 end,
							case when id % 50 = 2 then 7 end, json_build_object('n', id), case when id % 100 = 50 then 'error' end,
							case when id %% 1000 = 52 then %d end
						from generate_series(1, %w) id"""
					.replace("%%", "%")
					.replace("id % 1000 = 52", "id % " + WAITING / 200 + " = 52")
					.replace("%w", String.valueOf(WAITING))
					.replace("%d", String.valueOf(worker)));
		database.execute(
				"""
						insert into {schema}.job_failure (job_id, failed_at, leased_at, attempt, error, error_group)
						select id, leased_at, leased_at, 1, 'error', 1 + id / 100 % 10 from {schema}.job where indexed_state = 'failed'""");
		database.execute("""
				insert into {schema}.claim (worker_id, job_ids)
				select %d, array_agg(id) from {schema}.job where worker_id is not null group by id / 20000"""
			.formatted(worker));
		database.execute(
				"""
						insert into {schema}.job_finished (id, queue, type, state, run_at, created_at, leased_at, finished_at, priority,
							attempt, payload)
						select 1000000 + n, 'queue-' || n % 10, 'type-' || (n / 10) % 10,
							(case when n % 100 = 0 then 'cancelled' else 'succeeded' end)::{schema}.job_state, at, at, at, at, 0, 1,
							json_build_object('n', n)
						from (select n, clock_timestamp() - (%1$d - n) * interval '1 millisecond' as at from generate_series(1, %1$d) n) n"""
					.replace("%1$d", String.valueOf(FINISHED)));
		database.execute("vacuum (analyze) {schema}.job");
	}

	private record Cost(long blocks, long bound, double millis) {

	}

	/**
	 * A filter and what its list may cost.
	 *
	 * @param filter the filter
	 * @param few the most blocks among the jobs of each build, where some lists are
	 * shorter than their bounds
	 * @param many the most blocks among any number of jobs
	 */
	private record Bounded(JobFilter filter, long few, long many) {

		Bounded(JobFilter filter, long blocks) {
			this(filter, blocks, blocks);
		}

		long blocks() {
			return MANY ? this.many : this.few;
		}

	}

}
