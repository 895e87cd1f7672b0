package io.rowqueue.engine.operation;

import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import ch.qos.logback.classic.Level;
import io.rowqueue.JobRequest;
import io.rowqueue.admin.filter.JobFilter;
import io.rowqueue.admin.filter.JobListState;
import io.rowqueue.admin.operation.BulkOperation;
import io.rowqueue.admin.operation.BulkProgress;
import io.rowqueue.admin.operation.JobChange;
import io.rowqueue.admin.operation.Operations.Filter;
import io.rowqueue.admin.operation.Operations;
import io.rowqueue.admin.operation.RecordedOperation.State;
import io.rowqueue.admin.operation.RecordedOperation;
import io.rowqueue.engine.admin.DefaultJobAdmin;
import io.rowqueue.engine.admin.DefaultJobChanges;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.search.JobSearchStore;
import io.rowqueue.engine.support.Outage;
import io.rowqueue.engine.wakeup.WakeUps;
import io.rowqueue.schema.SchemaName;
import io.rowqueue.testing.Administration;
import io.rowqueue.testing.ExplainedStatements;
import io.rowqueue.testing.Log;
import io.rowqueue.testing.OpenTransaction;
import io.rowqueue.testing.Proxies;
import io.rowqueue.testing.StoreDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** Changes of all jobs that a filter selects, which any process continues. */
class BulkTaskTests {

	@RegisterExtension
	static final StoreDatabase database = new StoreDatabase();

	private static final JobFilter FAILED = JobFilter.builder().state(JobListState.FAILED).build();

	private final BulkStore store = new BulkStore(database.queueDatabase());

	private final Operations operations = new DefaultOperations(new OperationStore(database.queueDatabase()),
			this.store);

	private final JobSearchStore search = new JobSearchStore(database.queueDatabase(), Duration.ofMinutes(5),
			Duration.ofMinutes(5));

	private final WakeUps wakeUps = WakeUps.ofThisProcess(database.queueDatabase());

	private final DefaultJobAdmin admin = Administration.of(database, this.wakeUps);

	private final JobChanges changes = new DefaultJobChanges(database.queueDatabase(), this.wakeUps);

	@Test
	void changesAllJobsThatTheFilterSelects() {
		failed(1, 450, "mail");
		failed(1001, 5, "report");
		long id = start(JobChange.retry(), JobFilter.ofQuery("state=failed&type=mail"));
		assertThat(find(id).state()).isEqualTo(State.RUNNING);
		finish(task());
		RecordedOperation done = find(id);
		assertThat(done.state()).isEqualTo(State.DONE);
		assertThat(done.jobs()).isEqualTo(450);
		assertThat(done.endedAt()).isNotNull();
		assertThat(progress(id).selected()).isEqualTo(450);
		assertThat(progress(id).skipped()).isZero();
		assertThat(count("state = 'queued' and type = 'mail'")).isEqualTo(450);
		assertThat(count("state = 'failed' and type = 'report'")).isEqualTo(5);
		assertThat(rows("operation_job")).isZero();
	}

	@Test
	void theJobsOfAChunkAreChangedInOneTransaction() {
		failed(1, 1200, "mail");
		long id = start(JobChange.retry(), FAILED);
		finish(task());
		assertThat(find(id).jobs()).isEqualTo(1200);
		assertThat(database.query("select count(distinct xmin::text) from {schema}.job where state = 'queued'",
				Long.class))
			.isLessThanOrEqualTo(3);
	}

	/**
	 * Of a table that was not analyzed, in a transaction of its own. Under the setting of
	 * the connections of workers.
	 */
	@Test
	void theNextJobsAreReadWithoutThoseThatAreLeftOrWereChanged() throws Exception {
		ExplainedStatements statements = new ExplainedStatements(database.direct());
		try (Connection connection = statements.getConnection()) {
			connection.setAutoCommit(false);
			JdbcTemplate jdbc = new JdbcTemplate(new SingleConnectionDataSource(connection, true));
			jdbc.execute("set enable_seqscan = off");
			jdbc.execute("truncate rowqueue.operation_job");
			jdbc.execute("""
					insert into rowqueue.operation_job (operation_id, job_id)
					select o, i from generate_series(1, 2) o, generate_series(1, 50000) i""");
			BulkStore explained = new BulkStore(new QueueDatabase(jdbc, SchemaName.DEFAULT));
			assertThat(explained.next(1, 0, 500)).hasSize(500).startsWith(1L).endsWith(500L);
			assertThat(statements.blocks()).isBetween(1L, 50L);
			jdbc.execute("delete from rowqueue.operation_job where operation_id = 1 and job_id <= 25000");
			assertThat(explained.next(1, 25_000, 500)).hasSize(500).startsWith(25_001L);
			assertThat(statements.blocks()).isBetween(1L, 50L);
			assertThat(explained.next(1, 49_900, 500)).as("none of another operation").hasSize(100).endsWith(50_000L);
		}
	}

	@Test
	void anotherProcessContinuesWhenTheOwnerHasNotReportedForAWhile() {
		failed(1, 1200, "mail");
		long id = start(JobChange.retry(), FAILED);
		BulkTask first = task();
		while (progress(id).done() == 0) {
			first.continueNext();
		}
		BulkTask second = task();
		assertThat(second.continueNext()).as("the owner has just reported").isFalse();
		long done = progress(id).done();
		database.execute("update {schema}.operation set touched_at = touched_at - interval '%d seconds'"
			.formatted(BulkTask.SILENCE.toSeconds() + 1));
		finish(second);
		assertThat(done).isBetween(1L, 1199L);
		assertThat(find(id).state()).isEqualTo(State.DONE);
		assertThat(find(id).jobs()).isEqualTo(1200);
		assertThat(first.continueNext()).isFalse();
	}

	/** It ended after it changed a chunk, and before it could record that. */
	@Test
	void aJobIsNotRetriedTwiceIfItsProcessEndsInTheMiddle() {
		failed(1, 10, "mail");
		long id = start(JobChange.retry(), FAILED);
		BulkTask dying = new BulkTask(this.store, this.search, dyingAfter(6));
		dying.continueNext();
		assertThatIllegalStateException().isThrownBy(dying::continueNext);
		assertThat(count("state = 'queued'")).isEqualTo(6);
		long worker = database.worker();
		database.execute(("update {schema}.job set state = 'failed', attempt = 1, leased_at = clock_timestamp(),"
				+ " worker_id = null, last_error = 'again by %d' where id <= 3")
			.formatted(worker));
		database.execute("update {schema}.operation set touched_at = '-infinity'");
		finish(task());
		assertThat(count("state = 'failed' and last_error like 'again%'")).as("failed again after the start")
			.isEqualTo(3);
		assertThat(count("state = 'queued'")).isEqualTo(7);
		assertThat(progress(id).done()).as("of the repeated chunk, those that still had to be retried").isEqualTo(4);
		assertThat(progress(id).skipped()).isEqualTo(6);
	}

	/** It ended after the transaction that changed them, and before it recorded that. */
	@Test
	void jobsAreNotRetriedTwiceIfTheirProcessEndsInBetween() {
		failed(1, 10, "mail");
		long id = start(JobChange.retry(), FAILED);
		BulkTask dying = new BulkTask(this.store, this.search,
				Proxies.of(JobChanges.class, (proxy, method, arguments) -> {
					Proxies.call(this.changes, method, arguments);
					throw new IllegalStateException("the process has ended");
				}));
		dying.continueNext();
		assertThatIllegalStateException().isThrownBy(dying::continueNext);
		assertThat(count("state = 'queued'")).isEqualTo(10);
		database.execute("update {schema}.operation set touched_at = '-infinity'");
		finish(task());
		assertThat(progress(id).done()).isZero();
		assertThat(progress(id).skipped()).isEqualTo(10);
	}

	@Test
	void aJobThatAnotherTransactionHasLockedIsChangedLaterAndHoldsUpNoOther() throws Exception {
		failed(1, 10, "mail");
		long id = start(JobChange.retry(), FAILED);
		try (Connection connection = database.direct().getConnection(); OpenTransaction other = database.begin()) {
			BulkTask task = new BulkTask(this.store, this.search, impatientChanges(connection));
			task.continueNext();
			other.execute("select from {schema}.job where id = 4 for update");
			for (int i = 0; i < 2; i++) {
				assertThatExceptionOfType(DataAccessException.class).isThrownBy(task::continueNext)
					.matches(Outage::isLocked);
				assertThat(progress(id).done()).isEqualTo(9);
				assertThat(progress(id).skipped()).isZero();
			}
			other.rollback();
			finish(task);
		}
		assertThat(progress(id).done()).isEqualTo(10);
		assertThat(progress(id).skipped()).isZero();
		assertThat(count("state = 'queued'")).isEqualTo(10);
	}

	/**
	 * Otherwise another process takes over in the middle, and counts what was done as
	 * skipped.
	 */
	@Test
	void changesAreRecordedInTimeHoweverLongEachOfThemTakes() {
		failed(1, 10, "mail");
		long id = start(JobChange.retry(), FAILED);
		AtomicLong clock = new AtomicLong();
		JobChanges slow = oneByOne(() -> clock.addAndGet(Duration.ofSeconds(4).toNanos()));
		BulkTask task = new BulkTask(this.store, this.search, slow, clock::get);
		task.continueNext();
		while (find(id).state() == State.RUNNING) {
			long before = clock.get();
			task.continueNext();
			assertThat(clock.get() - before).isLessThan(BulkTask.SILENCE.toNanos() / 2);
		}
		assertThat(progress(id).done()).isEqualTo(10);
		assertThat(progress(id).skipped()).isZero();
	}

	/**
	 * Such as by a trigger of the application: to repeat it for ever would help nobody.
	 */
	@Test
	void aJobThatTheDatabaseRefusesToChangeIsSkippedAndHoldsUpNoOther() {
		failed(1, 10, "mail");
		database.execute("create function {schema}.refuse() returns trigger language plpgsql as"
				+ " 'begin raise exception ''it stays''; end'");
		database.execute("create trigger refuse before update on {schema}.job for each row when (old.id = 4)"
				+ " execute function {schema}.refuse()");
		try (Log log = new Log(BulkTask.class)) {
			long id = start(JobChange.retry(), FAILED);
			finish(task());
			assertThat(find(id).state()).isEqualTo(State.DONE);
			assertThat(progress(id).done()).isEqualTo(9);
			assertThat(progress(id).skipped()).isEqualTo(1);
			assertThat(count("state = 'queued'")).isEqualTo(9);
			assertThat(log.lines(Level.WARN)).singleElement().asString().contains("1 of the jobs", "4", "it stays");
		}
		finally {
			database.execute("drop function {schema}.refuse() cascade");
		}
	}

	private JobChanges impatientChanges(Connection connection) {
		JdbcTemplate jdbc = new JdbcTemplate(new SingleConnectionDataSource(connection, true));
		jdbc.execute("set lock_timeout = '10ms'");
		return new DefaultJobChanges(new QueueDatabase(jdbc, SchemaName.DEFAULT), this.wakeUps);
	}

	@Test
	void jobsThatFailAfterTheStartAreNotChased() {
		failed(1, 3, "mail");
		long id = start(JobChange.retry(), FAILED);
		database.execute("""
				insert into {schema}.job (id, type, queue, state, attempt, run_at, order_at, leased_at, created_at)
				select 100 + i, 'mail', 'default', 'failed', 1, now(), now(), clock_timestamp(), clock_timestamp()
				from generate_series(1, 4) i""");
		finish(task());
		assertThat(find(id).jobs()).isEqualTo(3);
		assertThat(count("state = 'failed'")).isEqualTo(4);
	}

	/** Else the walk would meet the jobs that it has moved, without an end. */
	@Test
	void rescheduledJobsAreChangedOnce() {
		database.execute("""
				insert into {schema}.job (id, type, queue, state, run_at, order_at)
				select i, 'mail', 'default', 'scheduled', t, t
				from generate_series(1, 500) i, lateral (select now() + i * interval '1 minute' as t) due""");
		long id = start(JobChange.reschedule(Duration.ofHours(2)), JobFilter.ofQuery("state=scheduled"));
		finish(task());
		assertThat(find(id).jobs()).isEqualTo(500);
		assertThat(count("run_at between now() + interval '1 hour' and now() + interval '2 hours 1 minute'"))
			.isEqualTo(500);
		assertThat(database.query("select max(run_at) - min(run_at) < interval '1 minute' from {schema}.job",
				Boolean.class))
			.as("all become due at the same time")
			.isTrue();
	}

	@Test
	void jobsThatNoLongerMatchAreSkipped() {
		failed(1, 4, "mail");
		long id = start(JobChange.cancel(), FAILED);
		BulkTask task = task();
		task.continueNext();
		this.admin.retry(2);
		finish(task);
		assertThat(find(id).jobs()).isEqualTo(3);
		assertThat(progress(id).skipped()).isEqualTo(1);
		assertThat(count("state = 'queued'")).as("was retried by a person meanwhile").isEqualTo(1);
	}

	@Test
	void aStoppedOperationChangesNoMoreJobs() {
		failed(1, 1200, "mail");
		long id = start(JobChange.retry(), FAILED);
		BulkTask task = task();
		while (progress(id).done() == 0) {
			task.continueNext();
		}
		assertThat(this.operations.stop(id)).isTrue();
		long done = progress(id).done();
		finish(task);
		assertThat(find(id).state()).isEqualTo(State.STOPPED);
		assertThat(progress(id).done()).isEqualTo(done);
		assertThat(count("state = 'failed'")).isEqualTo(1200 - done);
		assertThat(rows("operation_job")).isZero();
		assertThat(this.operations.stop(id)).isFalse();
	}

	/** The process that stopped it, and the one that carried it out, may have ended. */
	@Test
	void theJobsOfAStoppedOperationAreRemovedByAnyProcess() {
		failed(1, 1200, "mail");
		long id = start(JobChange.retry(), FAILED);
		BulkTask first = task();
		while (progress(id).done() == 0) {
			first.continueNext();
		}
		assertThat(this.operations.stop(id)).isTrue();
		assertThat(rows("operation_job")).isEqualTo(700);
		database.execute("update {schema}.operation set touched_at = '-infinity'");
		database.update(
				"insert into {schema}.operation_job (operation_id, job_id) select ?, i from generate_series(2000, 30000) i",
				id);
		finish(task());
		assertThat(rows("operation_job")).isZero();
		assertThat(count("state = 'failed'")).isEqualTo(700);
		assertThat(task().continueNext()).isFalse();
	}

	@Test
	void allJobsThatFailedWithAnErrorAreRetried() {
		failed(1, 1200, "mail");
		failed(2001, 5, "mail");
		database.execute("update {schema}.job set last_error = 'error'");
		database.execute("""
				insert into {schema}.job_failure (job_id, failed_at, attempt, error, error_group)
				select id, now() - interval '1 hour', 1, 'error', case when id < 2000 then 171 else 172 end
				from {schema}.job""");
		long id = start(JobChange.retry(), JobFilter.ofQuery("state=failed&error=00000000000000ab"));
		finish(task());
		assertThat(find(id).jobs()).isEqualTo(1200);
		assertThat(count("state = 'failed'")).isEqualTo(5);
	}

	@Test
	void aMaximumIsKept() {
		failed(1, 450, "mail");
		long id = this.operations.start(BulkOperation.of(JobChange.retry(), FAILED, "test", "code").mostJobs(210L));
		finish(task());
		assertThat(find(id).jobs()).isEqualTo(210);
		assertThat(count("state = 'failed'")).isEqualTo(240);
	}

	@Test
	void aLargeOperationDoesNotDelayASmallOne() {
		failed(1, 3000, "mail");
		failed(4001, 1, "report");
		long large = start(JobChange.retry(), JobFilter.ofQuery("state=failed&type=mail"));
		long small = start(JobChange.retry(), JobFilter.ofQuery("state=failed&type=report"));
		BulkTask task = task();
		while (find(small).state() == State.RUNNING) {
			assertThat(task.continueNext()).isTrue();
		}
		assertThat(find(large).state()).isEqualTo(State.RUNNING);
		finish(task);
	}

	@Test
	void prioritizesAndKeepsTheReason() {
		long job = database.enqueue(JobRequest.of("mail"));
		long id = this.operations
			.start(BulkOperation.of(JobChange.prioritize(7), JobFilter.builder().id(job).build(), "deploy", "code")
				.reason("the customer waits"));
		finish(task());
		assertThat(count("priority = 7")).isEqualTo(1);
		RecordedOperation operation = this.operations.list(Filter.ALL, Long.MAX_VALUE, 10).get(0);
		assertThat(operation.id()).isEqualTo(id);
		assertThat(operation.who()).isEqualTo("deploy");
		assertThat(operation.via()).isEqualTo("code");
		assertThat(operation.reason()).isEqualTo("the customer waits");
		assertThat(progress(id).filter()).isEqualTo("id=" + job);
	}

	@Test
	void whatMakesNoSenseIsRefused() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> start(JobChange.cancel(), JobFilter.ofQuery("state=succeeded")));
		assertThatIllegalArgumentException()
			.isThrownBy(() -> start(JobChange.retry(), JobFilter.builder().queue("mail").build()))
			.withMessageContaining("state=failed");
		for (JobChange change : List.of(JobChange.retry(), JobChange.cancel(), JobChange.reschedule(Duration.ZERO),
				JobChange.prioritize(1), JobChange.erase())) {
			assertThatIllegalArgumentException().isThrownBy(() -> start(change, JobFilter.ALL))
				.withMessageContaining("empty");
		}
		assertThatIllegalArgumentException().isThrownBy(() -> JobChange.prioritize(40_000));
		assertThatIllegalArgumentException().isThrownBy(() -> JobChange.reschedule(Duration.ofSeconds(-1)));
	}

	private long start(JobChange change, JobFilter filter) {
		return this.operations.start(BulkOperation.of(change, filter, "test", "code"));
	}

	private BulkTask task() {
		return new BulkTask(this.store, this.search, this.changes);
	}

	private static void finish(BulkTask task) {
		do {
			task.run();
		}
		while (task.isUnfinished());
	}

	/** A process that ends when it has made some changes. */
	private JobChanges dyingAfter(int changes) {
		AtomicInteger left = new AtomicInteger(changes);
		return oneByOne(() -> {
			if (left.getAndDecrement() <= 0) {
				throw new IllegalStateException("the process has ended");
			}
		});
	}

	/** Changes that cannot be made together. */
	private JobChanges oneByOne(Runnable before) {
		return Proxies.of(JobChanges.class, (proxy, method, arguments) -> {
			if (((List<?>) arguments[0]).size() > 1) {
				return Set.of();
			}
			before.run();
			return Proxies.call(this.changes, method, arguments);
		});
	}

	private RecordedOperation find(long id) {
		return this.operations.find(id).orElseThrow();
	}

	private BulkProgress progress(long id) {
		return Objects.requireNonNull(find(id).bulk());
	}

	private static void failed(int first, int jobs, String type) {
		database.execute("""
				insert into {schema}.job (id, type, queue, state, attempt, run_at, order_at, leased_at, created_at)
				select %d + i - 1, '%s', 'default', 'failed', 1, t, t, t + i * interval '1 second', t
				from generate_series(1, %d) i, lateral (select now() - interval '1 hour' as t) past""".formatted(first,
				type, jobs));
	}

	private static long count(String condition) {
		return database.query("select count(*) from {schema}.job where " + condition, Long.class);
	}

	private static long rows(String table) {
		return database.query("select count(*) from {schema}." + table, Long.class);
	}

}
