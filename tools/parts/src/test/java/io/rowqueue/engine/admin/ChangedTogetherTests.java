package io.rowqueue.engine.admin;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;

import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.operation.JobChanges;
import io.rowqueue.engine.wakeup.WakeUps;
import io.rowqueue.testing.OpenTransaction;
import io.rowqueue.testing.StoreDatabase;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Jobs that are changed in one transaction end up as if each had been changed alone: of
 * each kind of job, all rows of all tables are the same but for the times in them.
 */
class ChangedTogetherTests {

	@RegisterExtension
	static final StoreDatabase database = new StoreDatabase();

	private static final LongConsumer NOBODY = (id) -> {
	};

	private static final List<Long> IDS = LongStream.rangeClosed(1, 60).boxed().toList();

	private final WakeUps wakeUps = WakeUps.ofThisProcess(database.queueDatabase());

	private long worker;

	@BeforeEach
	void populate() {
		this.worker = database.worker();
		failed(1, "null", "null");
		failed(2, "null", "null");
		failed(3, "'twice'", "null");
		failed(4, "'twice'", "null");
		failed(5, "'taken'", "null");
		job(6, "queued", "'taken'", "null");
		failed(7, "'kept by another'", "null");
		failed(8, "'kept by itself'", "null");
		database.execute(
				"""
						insert into {schema}.taken_key (unique_key, job_id, taken_until, from_enqueue)
						values ('kept by another', 900, now() + interval '1 day', false), ('kept by itself', 8, now() + interval '1 day', true)""");
		failed(9, "null", "'customer'");
		recurring();
		flowsAndBatches();
		failed(40, "null", "null");
		database.execute(
				"""
						insert into {schema}.job_wait (job_id, kind, name, lease, began_at, until)
						values (40, 'signal', 'paid', 1, now(), now()), (40, 'signal', 'sent', 1, now(), now()), (40, 'sleep', 'a while', 1, now(), now())""");
		database.execute("""
				insert into {schema}.job_signal (job_id, name, timed_out, pending)
				values (40, 'paid', true, false), (40, 'sent', false, false)""");
		failed(41, "null", "null");
		database
			.execute("update {schema}.job set deaths = 3, cancel_requested = true, tolerance = '1 hour' where id = 41");
		job(42, "queued", "null", "null");
		job(43, "scheduled", "null", "null");
		job(44, "scheduled", "'scheduled'", "'customer'");
		job(45, "blocked", "null", "'customer'");
		database.execute("update {schema}.job set awaits_key = true where id = 45");
		leased(46, "starting");
		leased(47, "running");
		database.execute("""
				insert into {schema}.job_follow_up (id, unique_key, follows, run_at, priority, queue, type)
				values (48, 'taken', 6, now(), 0, 'q', 'type'), (49, 'taken', 48, now(), 0, 'q', 'type')""");
		database.execute("""
				insert into {schema}.outbox (id, queue, type, created_at) values (50, 'q', 'type', now())""");
		traces();
	}

	@Test
	void failedJobsAreRetriedAsIfEachWereAlone() {
		Set<Long> rejected = new HashSet<>();
		assertThat(together((changes, ids) -> changes.retry(ids, rejected::add))).as("in one transaction")
			.contains(1L, 2L, 3L, 8L, 9L, 10L, 12L, 13L, 20L, 30L, 31L, 40L, 41L)
			.doesNotContain(4L, 5L, 7L, 11L, 21L);
		assertThat(rejected).as("not to be tried alone").containsExactly(11L);
	}

	@Test
	void jobsAreCancelledAsIfEachWereAlone() {
		assertThat(together((changes, ids) -> changes.cancel(ids))).as("in one transaction")
			.contains(1L, 4L, 6L, 9L, 10L, 20L, 30L, 42L, 43L, 44L, 45L)
			.doesNotContain(21L, 46L, 47L, 48L, 49L);
	}

	@Test
	void jobsAreErasedAsIfEachWereAlone() {
		assertThat(together((changes, ids) -> changes.erase(ids))).as("in one transaction")
			.contains(1L, 4L, 6L, 9L, 10L, 20L, 30L, 42L, 43L, 44L, 45L, 51L, 52L)
			.doesNotContain(21L, 46L, 47L, 48L, 49L);
	}

	@Test
	void waitingJobsAreRescheduledAsIfEachWereAlone() {
		for (Duration delay : List.of(Duration.ZERO, Duration.ofHours(3))) {
			assertThat(together((changes, ids) -> changes.reschedule(ids, delay))).as("in one transaction")
				.containsExactlyInAnyOrder(6L, 32L, 42L, 43L, 44L, 45L);
		}
	}

	@Test
	void waitingJobsArePrioritizedAsIfEachWereAlone() {
		assertThat(together((changes, ids) -> changes.prioritize(ids, 7))).as("in one transaction")
			.contains(6L, 22L, 42L, 43L, 44L, 45L)
			.doesNotContain(1L, 46L, 47L, 48L);
	}

	/** A caller's transaction may hold one for long. */
	@Test
	void aJobThatAnotherTransactionHasLockedIsLeftOut() throws Exception {
		JobChanges changes = new DefaultJobChanges(database.queueDatabase(), this.wakeUps);
		try (OpenTransaction other = database.begin()) {
			other.execute("select from {schema}.job where id in (2, 43) for update");
			assertThat(changes.prioritize(List.of(42L, 43L, 44L), 7)).containsExactlyInAnyOrder(42L, 44L);
			assertThat(changes.reschedule(List.of(42L, 43L, 44L), Duration.ZERO)).containsExactlyInAnyOrder(42L, 44L);
			assertThat(changes.retry(List.of(1L, 2L), NOBODY)).containsExactly(1L);
			assertThat(changes.cancel(List.of(42L, 43L))).containsExactly(42L);
			assertThat(changes.erase(List.of(1L, 2L))).containsExactly(1L);
		}
	}

	/** A transaction that enqueues the key waits for nobody, and is waited for. */
	@Test
	void aKeyThatIsTakenMeanwhileLeavesAllToBeRetriedAlone() throws Exception {
		JobChanges changes = new DefaultJobChanges(database.queueDatabase(), this.wakeUps);
		try (OpenTransaction other = database.begin()) {
			other.execute("""
					insert into {schema}.job (id, queue, type, state, unique_key, run_at, order_at)
					values (99, 'q', 'type', 'queued', 'twice', now(), now())""");
			var retried = database.async(() -> changes.retry(List.of(1L, 2L, 3L), NOBODY));
			database.awaitBlockedStatement();
			other.commit();
			assertThat(StoreDatabase.result(retried)).isEmpty();
		}
		assertThat(IDS.subList(0, 3)).extracting((id) -> database.jobs().control(this.wakeUps).retry(id).isRetried())
			.containsExactly(true, true, false);
	}

	/**
	 * Changes jobs one by one, and then together with those alone that are left, in
	 * transactions that are rolled back.
	 * @return the jobs that were changed together
	 */
	private Set<Long> together(Change change) {
		Set<Long> alone = new LinkedHashSet<>();
		Map<String, List<String>> expected = rolledBack(
				(changes) -> IDS.forEach((id) -> alone.addAll(change.apply(changes, List.of(id)))));
		Set<Long> together = new LinkedHashSet<>();
		Set<Long> all = new LinkedHashSet<>();
		Map<String, List<String>> rows = rolledBack((changes) -> {
			together.addAll(change.apply(changes, IDS));
			all.addAll(together);
			IDS.stream()
				.filter((id) -> !together.contains(id))
				.forEach((id) -> all.addAll(change.apply(changes, List.of(id))));
		});
		assertThat(all).as("changed").containsExactlyInAnyOrderElementsOf(alone);
		rows.forEach((table, each) -> assertThat(each).as(table).isEqualTo(expected.get(table)));
		return together;
	}

	private Map<String, List<String>> rolledBack(Consumer<JobChanges> work) {
		try (OpenTransaction transaction = database.begin()) {
			work.accept(new DefaultJobChanges(transaction.database(), this.wakeUps));
			return rows(transaction.database());
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** Of all tables, without the times and the places of rows that are alike. */
	private static Map<String, List<String>> rows(QueueDatabase database) {
		Map<String, List<String>> rows = new TreeMap<>();
		List<String> tables = new ArrayList<>(database
			.query("""
					select c.relname from pg_class c where relnamespace = '{schema}'::regnamespace and relkind in ('r', 'p') and not relispartition""",
					(row, index) -> row.getString(1)));
		tables.remove("batch_delta");
		for (String table : tables) {
			rows.put(table, database.query(
					"select regexp_replace(to_jsonb(t)::text, '\"\\d{4}-\\d\\d-\\d\\dT[^\"]+\"', 'time', 'g') from {schema}."
							+ table + " t order by 1",
					(row, index) -> row.getString(1)));
		}
		rows.put("batch_delta", database.query("""
				select format('%s: %s, %s, %s, %s', batch_id, sum(total), sum(succeeded), sum(failed), sum(cancelled))
				from {schema}.batch_delta group by batch_id order by batch_id""", (row, index) -> row.getString(1)));
		assertThat(rows).containsKeys("job", "job_finished", "flow_job", "schedule");
		return rows;
	}

	/**
	 * Two of a recurring job whose jobs do not overlap, one for a time that has passed,
	 * and one of another.
	 */
	private static void recurring() {
		database.execute(
				"""
						insert into {schema}.schedule (name, type, queue, every, source, overlap)
						values ('alone', 'type', 'q', '1 hour', 'code', 'skip'), ('beside', 'type', 'q', '1 hour', 'code', 'queue')""");
		for (int id = 10; id <= 13; id++) {
			failed(id, "null", "null");
		}
		database.execute(
				"""
						update {schema}.job set headers = json_build_object('schedule', case id when 12 then 'beside' else 'alone' end)
						where id between 10 and 13""");
		database.execute("""
				insert into {schema}.schedule_run (name, job_id, due_at, origin)
				values ('alone', 10, now(), 'due'), ('alone', 11, now(), 'due'), ('alone', 13, now(), 'backfill')""");
	}

	/**
	 * A flow whose first job has failed, and with it the second; a third waits for both.
	 */
	private static void flowsAndBatches() {
		failed(20, "null", "null");
		failed(21, "null", "null");
		job(22, "blocked", "null", "null");
		job(23, "blocked", "null", "null");
		database.execute("""
				insert into {schema}.job_dependency (predecessor_id, successor_id, when_failed)
				values (20, 21, 'fail'), (21, 22, 'wait'), (20, 23, 'run')""");
		database.execute("insert into {schema}.job_end (job_id, outcome) values (20, 'failed')");
		database.execute(
				"""
						insert into {schema}.flow_job (flow_id, name, job_id, state, ended_at)
						values (7, 'first', 20, 'failed', now()), (7, 'second', 21, 'failed', now()), (7, 'third', 22, null, null), (7, 'other', 23, null, null)""");
		failed(30, "null", "null");
		failed(31, "null", "null");
		job(32, "queued", "null", "null");
		database.execute("insert into {schema}.batch (id, name, total) values (5, 'batch', 3)");
		database.execute("update {schema}.job set batch_id = 5, tracked = true where id between 30 and 32");
	}

	private void traces() {
		database.execute(
				"""
						insert into {schema}.job_finished (id, run_at, created_at, finished_at, state, priority, attempt, queue, type)
						values (51, now(), now(), now(), 'succeeded', 0, 1, 'q', 'type'), (52, now(), now(), now(), 'cancelled', 0, 0, 'q', 'type')""");
		database.execute("""
				insert into {schema}.error_group (id, type, first_at, last_at, last_job, failures, sample)
				values (1, 'type', now(), now(), 1, 5, 'error'), (2, 'type', now(), now(), 1, 5, 'another')""");
		database.execute("""
				insert into {schema}.job_failure (job_id, failed_at, attempt, error, error_group)
				select id, now(), 1, 'error of it', 1 + id % 2 from {schema}.job where state = 'failed'""");
		database.execute("""
				insert into {schema}.job_progress (job_id, lease, revision, done, total, at)
				select id, 1, 1, 1, 2, now() from {schema}.job where id % 2 = 0""");
		database.execute(
				"insert into {schema}.job_tag (job_id, name, value) select id, '', 'red' from {schema}.job where id % 2 = 0");
		database.execute(
				"insert into {schema}.job_expiry (job_id, expires_at) select id, now() from {schema}.job where id % 2 = 0");
		database.execute(
				"""
						insert into {schema}.operation (who, via, action, kind, name, parameters)
						select 'ada', 'code', 'signal', 'jobs', id::text, '{"signal": "paid"}' from {schema}.job where id < 10""");
	}

	private static void failed(long id, String key, String limitKey) {
		job(id, "failed", key, limitKey);
		database.update("update {schema}.job set attempt = 3, leased_at = now(), last_error = 'error' where id = ?",
				id);
	}

	private static void job(long id, String state, String key, String limitKey) {
		database.execute("""
				insert into {schema}.job (id, queue, type, state, unique_key, limit_key, run_at, order_at)
				values (%d, 'q%d', 'type', '%s', %s, %s, now() + interval '1 hour', now() + interval '1 hour')"""
			.formatted(id, id % 2, state, key, limitKey));
	}

	private void leased(long id, String state) {
		database.execute(
				"""
						insert into {schema}.job (id, queue, type, state, worker_id, lease, attempt, leased_at, run_at, order_at)
						values (%d, 'q', 'type', '%s', %d, 1, 1, now(), now(), now())"""
					.formatted(id, state, this.worker));
	}

	/** A change, of one job or several. */
	private interface Change {

		Set<Long> apply(JobChanges changes, List<Long> ids);

	}

}
