package io.rowqueue.engine.shard;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.rowqueue.DuplicatePolicy;
import io.rowqueue.EnqueueResult;
import io.rowqueue.EnqueueResult.Outcome;
import io.rowqueue.JobRequest;
import io.rowqueue.engine.history.CleanupStore;
import io.rowqueue.engine.shard.HandoverStore.Handover;
import io.rowqueue.engine.shard.HandoverStore.Rows;
import io.rowqueue.limit.Limit;
import io.rowqueue.limit.LimitKind;
import io.rowqueue.testing.Async;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.OpenTransaction;
import io.rowqueue.testing.TestProcess;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.springframework.dao.DataAccessException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Rows arrive in a shard whose own transactions use the same keys, and none is lost
 * whatever these do meanwhile.
 */
@Execution(ExecutionMode.CONCURRENT)
class ArrivingRowsTests {

	private static final JobRequest JOB = JobRequest.of("test", "a").uniqueKey("key");

	@AutoClose
	private final TestShards shards = new TestShards();

	private final QueueShard home = this.shards.shard(0);

	private final QueueShard eu = this.shards.shard(1);

	private final Engine source = this.shards.engine(0);

	private final Engine target = this.shards.engine(1);

	private final ShardMoves moves = new ShardMoves(this.shards.group());

	@Test
	void aJobArrivesWhoseKeyIsFreedMeanwhile() throws SQLException {
		List<Long> jobs = List.of(enqueue(JOB), enqueue(JOB.uniqueKey("held")));
		long other = this.target.enqueue(JOB);
		try (OpenTransaction transaction = this.target.begin()) {
			transaction.execute("select {schema}.enqueue('test', unique_key => 'held')");
			CompletableFuture<Void> move = Async.run(() -> moveTogether("key", "held"));
			awaitWaiting(move);
			this.target.jdbc().update("delete from rowqueue.job where id = ?", other);
			transaction.commit();
			move.join();
		}
		assertThat(jobs).allSatisfy((job) -> assertThat(isThere(job)).isTrue());
	}

	@Test
	void anOpenTransactionThatHasAKeyDelaysNoOtherKey() throws SQLException {
		long held = enqueue(JOB.uniqueKey("held"));
		long other = enqueue(JOB);
		try (OpenTransaction transaction = this.target.begin()) {
			transaction.execute("select {schema}.enqueue('test', unique_key => 'held')");
			CompletableFuture<Integer> move = Async.supply(this::moveAll);
			await("it does not wait for the transaction").until(move::isDone);
			assertThat(move.join()).isEqualTo(4096);
			assertThat(this.target.count("shard_bucket where state = 'owned'")).isEqualTo(4096);
			assertThat(enqueue(JOB)).isEqualTo(other);
			assertThat(this.target.count("job_follow_up where id = ?", held)).isOne();
			transaction.rollback();
		}
		assertThat(this.target.jdbc().queryForList("select rowqueue.release_follow_ups(10)", String.class)).hasSize(1);
		assertThat(this.target.count("job where id = ?", held)).isOne();
	}

	@Test
	void aKeyThatIsKeptArrivesWhereItHasExpired() throws SQLException {
		this.source.jdbc()
			.update("insert into rowqueue.taken_key values ('a', 7, now() + interval '1 day'), ('b', 9, now() + interval '1 day')");
		this.target.jdbc().update("insert into rowqueue.taken_key values ('a', 8, now() - interval '1 day')");
		try (OpenTransaction transaction = this.target.begin()) {
			transaction.execute("insert into {schema}.taken_key values ('b', 10, now() + interval '1 hour')");
			CompletableFuture<Void> move = Async.run(() -> moveTogether("a", "b"));
			awaitWaiting(move);
			CompletableFuture<Integer> cleanUp = Async
				.supply(() -> this.target.jdbc().update("delete from rowqueue.taken_key where taken_until < now()"));
			await("it has deleted the row, or waits for it").until(() -> cleanUp.isDone() || waiting() > 1);
			transaction.commit();
			move.join();
			cleanUp.join();
		}
		assertThat(this.target.jdbc()
			.queryForList("select job_id from rowqueue.taken_key where taken_until > now() order by unique_key",
					Long.class))
			.containsExactly(7L, 9L);
	}

	/** Keys of a database that the application uses itself are unique there only. */
	@Test
	void aFollowUpArrivesWhereAnotherOneFollowsTheSameJob() {
		long job = enqueue(JOB);
		long followUp = follow(this.source, job);
		assertThat(moveAll()).isEqualTo(4096);
		long left = follow(this.source, job);
		assertThat(this.moves.moveBuckets(this.eu, this.home, 4096)).isEqualTo(4096);
		assertThat(this.source.jdbc().queryForList("select id from rowqueue.job_follow_up order by id", Long.class))
			.containsExactly(followUp, left);
	}

	private static long follow(Engine engine, long job) {
		return engine.number("""
				insert into rowqueue.job_follow_up (id, unique_key, follows, run_at, priority, queue, type)
				values (nextval('rowqueue.job_id_seq'), 'key', ?, now(), 0, 'default', 'test') returning id""", job);
	}

	@Test
	void aJobThatHadBegunContinuesWhereItsKeyWasTaken() {
		long job = enqueue(JOB);
		begun(job);
		this.target.enqueue(JOB);
		assertThat(moveAll()).isEqualTo(4096);
		assertThat(this.target.count("job_follow_up where id = ?", job)).isOne();
		new CleanupStore(this.target.queueDatabase()).deleteOfJobs("job_step", 0, 100);
		assertThat(this.target.count("job_step where job_id = ? and name = 'charge'", job)).isOne();
		assertThat(this.moves.moveBuckets(this.eu, this.home, 4096)).as("it moves on as a follow-up").isEqualTo(4096);
		this.source.jdbc().update("delete from rowqueue.job");
		this.source.jdbc().queryForList("select rowqueue.release_follow_ups(10)");
		Map<String, Object> row = this.source.jdbc()
			.queryForMap(
					"select lease, attempt, cancel_requested, last_error, leased_at is not null as begun from rowqueue.job");
		assertThat(row).containsEntry("lease", 3)
			.containsEntry("attempt", 2)
			.containsEntry("cancel_requested", true)
			.containsEntry("last_error", "failed")
			.containsEntry("begun", true);
	}

	/** As a job that has recorded steps: their results are those of another request. */
	@Test
	void aFollowUpThatHadBegunIsNotMergedAndBeginsAnewWhenItIsReplaced() {
		long job = enqueue(JOB);
		begun(job);
		this.target.enqueue(JOB);
		assertThat(moveAll()).isEqualTo(4096);
		EnqueueResult replaced = this.shards.queue().enqueue(JOB.duplicates(DuplicatePolicy.replace()));
		assertThat(replaced).isEqualTo(new EnqueueResult(job, Outcome.REPLACED));
		assertThat(this.target.count("job_step where job_id = ? and name <> ''", job)).isZero();
		assertThat(this.target.count("job_follow_up where id = ? and lease = 3 and attempt is null", job)).isOne();
		EnqueueResult again = this.shards.queue().enqueue(JOB.duplicates(DuplicatePolicy.runAgain()));
		assertThat(again.outcome()).isEqualTo(Outcome.FOLLOW_UP);
		assertThat(this.shards.queue().enqueue(JOB.duplicates(DuplicatePolicy.runAgain())))
			.isEqualTo(new EnqueueResult(again.id(), Outcome.KEPT));
	}

	private void begun(long job) {
		this.source.jdbc()
			.update("""
					update rowqueue.job set lease = 3, attempt = 2, leased_at = now(), cancel_requested = true, last_error = 'failed'
					where id = ?""",
					job);
		this.source.jdbc()
			.update("insert into rowqueue.job_step (job_id, name, lease, finished_at) values (?, 'charge', 3, now())",
					job);
	}

	@Test
	void textsArriveWithAllCharacters() {
		String text = "a\u001ab\u001a1";
		long job = enqueue(JobRequest.of("test", text).uniqueKey(text).delay(Duration.ofDays(1)));
		this.source.jdbc().update("insert into rowqueue.taken_key values (?, 7, now() + interval '1 day')", text + "2");
		assertThat(moveAll()).isEqualTo(4096);
		assertThat(enqueue(JobRequest.of("test", text).uniqueKey(text))).isEqualTo(job);
		assertThat(enqueue(JobRequest.of("test", text).uniqueKey(text + "2"))).isEqualTo(7);
	}

	@Test
	void jobsOfAnOrderedKeyThatHaveWaitedForLongStayInOrder() {
		this.source.limits().set(LimitKind.KEY, "account", Limit.concurrency(1).ordered(true), true);
		this.target.limits().set(LimitKind.KEY, "account", Limit.concurrency(1).ordered(true), true);
		List<Long> jobs = new ArrayList<>(IntStream.range(0, 4)
			.mapToObj((i) -> enqueue(JobRequest.of("test", i).limitKey("account:1")))
			.toList());
		for (int i = 0; i < 4; i++) {
			this.source.jdbc()
				.update("update rowqueue.job set run_at = run_at - ? * interval '1 s', order_at = order_at - ? * interval '1 s'"
						+ " where id = ?", 40 - i * 10, 40 - i * 10, jobs.get(i));
		}
		// others have been admitted there
		this.target.jdbc()
			.update("update rowqueue.maintenance_task set mark = clock_timestamp() - interval '1 s' where name = 'admit'");
		assertThat(moveAll()).isEqualTo(4096);
		jobs.add(enqueue(JobRequest.of("test", 4).limitKey("account:1")));
		this.target.admission().admitDue();
		assertThat(this.target.jdbc().queryForList("select id from rowqueue.job where state = 'queued'", Long.class))
			.containsExactly(jobs.get(0));
		List<Long> ran = new CopyOnWriteArrayList<>();
		try (TestProcess process = this.target.process()
			.withMaintenance()
			.handle("test", (payload, job) -> ran.add(job.id()))
			.start()) {
			this.target.awaitAllOver();
		}
		assertThat(ran).containsExactlyElementsOf(jobs);
	}

	@Test
	void aJobIsNotSignalledInASnapshotThatMayContainItAfterItHasMoved() throws SQLException {
		long job = enqueue(JOB);
		try (OpenTransaction transaction = this.source.begin()) {
			transaction.execute("set transaction isolation level repeatable read");
			transaction.select("select count(*) from {schema}.job");
			assertThat(moveAll()).isEqualTo(4096);
			assertThatExceptionOfType(DataAccessException.class)
				.isThrownBy(() -> transaction.select("select {schema}.signal(%d, 'paid')".formatted(job)))
				.withMessageContaining("READ COMMITTED");
		}
		try (OpenTransaction transaction = this.source.begin()) {
			transaction.execute("set transaction isolation level repeatable read");
			assertThatExceptionOfType(DataAccessException.class)
				.isThrownBy(
						() -> transaction.select("select {schema}.enqueue('test', after => array[%d])".formatted(job)))
				.withMessageContaining("run after");
		}
	}

	@Test
	void largeRowsArriveInSmallPages() {
		String megabyte = "x".repeat(1 << 20);
		IntStream.range(0, 12)
			.forEach((i) -> this.source.jdbc()
				.queryForList("select rowqueue.enqueue('test', unique_key => ?, payload => to_json(?::text))",
						"key " + i, megabyte + i));
		List<Integer> buckets = IntStream.range(0, 12).mapToObj((i) -> Buckets.of("key " + i)).distinct().toList();
		assertThat(this.home.handovers().releaseBuckets(buckets, this.eu.number())).hasSameSizeAs(buckets);
		Handover handover = this.home.handovers().open(List.of()).get(0);
		int pages = 0;
		for (List<Rows> page = this.home.handovers().rows(handover.batch(), 0); !page
			.isEmpty(); page = this.home.handovers().rows(handover.batch(), page.get(page.size() - 1).lastId())) {
			assertThat(page.stream().mapToInt((rows) -> rows.content().length()).sum()).isLessThan(6 << 20);
			pages++;
		}
		assertThat(pages).isGreaterThan(2);
		this.moves.resume();
		assertThat(this.target
			.number("select count(distinct payload::text) from rowqueue.job where length(payload::text) > 1000000"))
			.isEqualTo(12);
	}

	/** Waits until the move waits for a lock, or has waited for one long enough. */
	private void awaitWaiting(CompletableFuture<?> move) {
		await().until(() -> move.isDone() || waiting() > 0);
	}

	private long waiting() {
		return this.target.number("select count(*) from pg_locks where locktype = 'transactionid' and not granted"
				+ " and pid in (select pid from pg_stat_activity where datname = current_database())");
	}

	private boolean isThere(long job) {
		return this.target.count("job where id = ?", job) + this.target.count("job_follow_up where id = ?", job) == 1;
	}

	private long enqueue(JobRequest request) {
		return this.shards.queue().enqueue(request).id();
	}

	/** All rows are in one page. */
	private void moveTogether(String... keys) {
		List<Integer> buckets = Stream.of(keys).map(Buckets::of).toList();
		assertThat(this.home.handovers().releaseBuckets(buckets, this.eu.number())).hasSameSizeAs(buckets);
		this.moves.complete(this.home);
	}

	private int moveAll() {
		return this.moves.moveBuckets(this.home, this.eu, 4096);
	}

}
