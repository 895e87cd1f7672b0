package io.rowqueue.engine.shard;

import java.time.Duration;
import java.util.Collections;

import io.rowqueue.DuplicatePolicy;
import io.rowqueue.EnqueueResult;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.schema.SchemaName;
import io.rowqueue.shard.Shard;
import io.rowqueue.shard.ShardRole;
import io.rowqueue.step.SignalResult;
import io.rowqueue.testing.Async;
import io.rowqueue.testing.Transactions;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** What the relay of an outbox leaves behind, waits for and reports. */
class OutboxUpkeepTests {

	private static final JobRequest KEYED = JobRequest.of("test", "a").uniqueKey("key");

	@AutoClose
	private final TestShards shards = new TestShards(ShardRole.OUTBOX);

	private final QueueShard home = this.shards.shard(0);

	private final QueueShard outbox = this.shards.shard(2);

	private final OutboxRelay relay = new OutboxRelay(this.shards.group());

	@Test
	void aJobWaitsForTheTransactionThatSignalsIt() {
		long job = enqueue(JobRequest.of("test", "signalled")).id();
		long other = enqueue(JobRequest.of("test", "other")).id();
		inTransaction().executeWithoutResult((status) -> {
			assertThat(this.shards.queue().signal(job, "paid", null)).isEqualTo(SignalResult.STORED);
			Async.run(this.relay::relay).join();
			assertThat(this.outbox.queue().find(job)).isPresent();
			assertThat(this.outbox.queue().find(other)).as("the other one has left").isEmpty();
		});
		this.relay.relay();
		assertThat(this.shards.engine(2).jobs()).isZero();
		assertThat(this.shards.engine(0).number("select count(*) from rowqueue.job_signal")
				+ this.shards.engine(1).number("select count(*) from rowqueue.job_signal"))
			.as("its signal has left with it")
			.isOne();
	}

	@Test
	void theAgeOfTheFirstJobIsKnownUntilItHasArrived() {
		this.relay.relay();
		assertThat(this.relay.oldestAge("us")).isZero();
		enqueue(KEYED);
		execute("update rowqueue.job set created_at = created_at - interval '1 hour'");
		assertThat(this.outbox.handovers().oldestWait()).hasValueSatisfying(OutboxUpkeepTests::isAnHour);
		this.outbox.handovers()
			.releaseOutbox(100, Collections.nCopies(Shard.BUCKETS, this.home.number()), this.home.number());
		execute("update rowqueue.shard_handover set at = at - interval '1 hour'");
		this.relay.relay();
		isAnHour(this.relay.oldestAge("us")); // it was read before that job arrived
		this.relay.relay();
		assertThat(this.relay.oldestAge("us")).isZero();
	}

	private static void isAnHour(Duration age) {
		assertThat(age).isBetween(Duration.ofMinutes(60), Duration.ofMinutes(70));
	}

	@Test
	void whatHandedOverAndCancelledJobsHaveLeftIsDeleted() {
		enqueue(KEYED.duplicates(DuplicatePolicy.replace()).limitKey("customer:42"));
		// what admits it holds its row, and the relay would leave it out
		await().until(() -> this.shards.engine(2).jobs(JobState.QUEUED) == 1);
		execute("insert into rowqueue.job_key (limit_key) values ('customer:42') on conflict do nothing");
		EnqueueResult cancelled = enqueue(KEYED.uniqueKey("other").duplicates(DuplicatePolicy.replace()));
		this.outbox.admin().cancel(cancelled.id());
		assertThat(left()).isEqualTo(3);
		OutboxCleanupTask cleanup = new OutboxCleanupTask(
				new QueueDatabase(this.shards.engine(2).jdbc(), SchemaName.DEFAULT));
		cleanup.run();
		assertThat(left()).as("of the job that waits").isEqualTo(2);
		this.relay.relay();
		cleanup.run();
		assertThat(left()).isZero();
	}

	private long left() {
		return this.shards.engine(2)
			.number("select (select count(*) from rowqueue.job_key) + (select count(*) from rowqueue.shard_policy)");
	}

	private void execute(String sql) {
		this.shards.engine(2).jdbc().update(sql);
	}

	private EnqueueResult enqueue(JobRequest request) {
		return inTransaction().execute((status) -> this.shards.queue().enqueue(request));
	}

	private TransactionTemplate inTransaction() {
		return Transactions.template(this.outbox.dataSource());
	}

}
