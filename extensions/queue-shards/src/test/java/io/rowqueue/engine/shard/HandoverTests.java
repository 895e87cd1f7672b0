package io.rowqueue.engine.shard;

import java.time.Duration;
import java.util.List;

import io.rowqueue.EnqueueResult;
import io.rowqueue.JobQueueException;
import io.rowqueue.JobRequest;
import io.rowqueue.engine.shard.HandoverStore.Handover;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.OpenTransaction;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DataAccessResourceFailureException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * What passes between shards arrives once, also when a database is an older one again.
 */
class HandoverTests {

	private static final JobRequest KEYED = JobRequest.of("test", "a").uniqueKey("key");

	@AutoClose
	private final TestShards shards = new TestShards();

	private final QueueShard home = this.shards.shard(0);

	private final QueueShard eu = this.shards.shard(1);

	private final QueueShard us = this.shards.shard(2);

	private final ShardMoves moves = new ShardMoves(this.shards.group());

	private final DefaultShards all = new DefaultShards(this.shards.group(), () -> {
	});

	@Test
	void jobsArriveThatAreMovedOutOfADatabaseThatWasRestored() {
		this.home.queue().enqueue("test", "before the backup is restored");
		this.moves.empty(this.home, List.of(this.eu));
		assertThat(this.shards.engine(1).jobs()).isOne();
		restore();
		this.home.queue().enqueue("test", "after it");
		this.moves.empty(this.home, List.of(this.eu));
		assertThat(this.shards.engine(0).jobs() + this.shards.engine(1).jobs()).isEqualTo(2);
	}

	@Test
	void aBucketArrivesThatIsMovedOutOfADatabaseThatWasRestored() {
		LiveMoveTests.die(this.home, this.eu, this.shards.bucket(KEYED), 3);
		restore();
		this.shards.engine(0).jdbc().update("delete from rowqueue.shard_bucket");
		EnqueueResult job = this.home.queue().enqueue(KEYED);
		LiveMoveTests.die(this.home, this.eu, this.shards.bucket(KEYED), 3);
		assertThat(this.shards.queue().find(job.id())).isPresent();
	}

	/** What the backup of the home shard does not know. */
	private void restore() {
		this.shards.engine(0).jdbc().execute("alter sequence rowqueue.shard_handover_batch_seq restart with 1");
	}

	@Test
	void aHomeShardThatWasRestoredGivesNoNumberAgain() {
		this.shards.engine(0).jdbc().update("delete from rowqueue.shard where name = 'us'");
		this.home.refresh(this.home);
		this.us.refresh(this.home);
		assertThat(this.shards.engine(0).number("select number from rowqueue.shard where name = 'us'"))
			.isEqualTo(this.us.number());
	}

	@Test
	void aShardIsRefusedWhoseNumberTheHomeShardHasGivenToAnotherOne() {
		this.shards.engine(0).jdbc().update("update rowqueue.shard set name = 'asia' where name = 'us'");
		this.home.refresh(this.home);
		assertThatExceptionOfType(JobQueueException.class).isThrownBy(() -> this.us.refresh(this.home))
			.withMessageContaining("'us'")
			.withMessageContaining("'asia'");
		assertThatExceptionOfType(JobQueueException.class).isThrownBy(() -> this.shards.group().add(this.us))
			.withMessageContaining("the same number 3");
	}

	/** The other one forgets it then. */
	@Test
	void whatArrivesIsDurableWhateverTheDefaultOfTheSession() throws Exception {
		try (OpenTransaction target = this.shards.engine(1).begin()) {
			target.execute("set local synchronous_commit = off");
			target.execute("select {schema}.receive_handover(1::smallint, 1, '{}')");
			assertThat(target.show("synchronous_commit")).isEqualTo("on");
		}
	}

	@Test
	void aShardForgetsWhichHandoversHaveArrivedLongAgo() {
		for (long batch : List.of(1L, 2L, 3L)) {
			received(batch);
		}
		long yesterday = (System.currentTimeMillis() - Duration.ofHours(25).toMillis()) * 1000;
		received(yesterday);
		move();
		assertThat(this.shards.engine(1).number("select count(*) from rowqueue.shard_received")).as("the latest one")
			.isOne();
		move();
		assertThat(this.shards.engine(1).number("select count(*) from rowqueue.shard_received")).isEqualTo(2);
	}

	@Test
	void aShardDoesNotForgetAHandoverThatTheOtherOneHasNotForgotten() {
		for (long batch : List.of(1L, 2L, 3L)) {
			received(batch);
		}
		this.shards.engine(0)
			.jdbc()
			.update("insert into rowqueue.shard_handover (batch, target, buckets) values (2, 900, '{}')");
		move();
		assertThat(this.shards.engine(1)
			.jdbc()
			.queryForList("select batch from rowqueue.shard_received where batch < 10 order by 1", Long.class))
			.containsExactly(2L, 3L);
	}

	private void received(long batch) {
		this.shards.engine(1)
			.jdbc()
			.update("insert into rowqueue.shard_received (source, batch) values (?, ?)", this.home.number(), batch);
	}

	private void move() {
		assertThat(this.moves.moveBuckets(this.home, this.eu, 1)).isOne();
	}

	@Test
	void aMoverThatWasFrozenForLongDoesNotReceiveAgain() {
		int bucket = this.shards.bucket(KEYED);
		LiveMoveTests.die(this.home, this.eu, bucket, 1);
		Handover handover = this.home.handovers().open(List.of()).get(0);
		this.moves.resume();
		this.shards.engine(1).jdbc().update("delete from rowqueue.shard_received");
		LiveMoveTests.die(this.eu, this.us, bucket, 3);
		assertThatExceptionOfType(ConcurrencyFailureException.class).isThrownBy(() -> this.eu.handovers()
			.receive(this.home.number(), handover, (after) -> this.home.handovers().rows(handover.batch(), after)));
		this.shards.group().refreshBuckets();
		assertThat(this.shards.group().owner(bucket)).isEqualTo(this.us.number());
		assertThat(this.shards.engine(1).number("select count(*) from rowqueue.shard_bucket where state = 'owned'"))
			.isZero();
	}

	@Test
	void handoversToAShardThatIsAwayDoNotHoldUpTheOthers() {
		this.shards.engine(0)
			.jdbc()
			.update("insert into rowqueue.shard_handover (batch, target, buckets)"
					+ " select b, 900, '{}' from generate_series(-100, -1) b");
		EnqueueResult job = this.shards.queue().enqueue(KEYED);
		assertThat(this.moves.moveBuckets(this.home, this.eu, 4096)).isEqualTo(4096);
		assertThat(this.shards.queue().find(job.id())).isPresent();
	}

	@Test
	void nothingIsMovedToAShardThatIsAway() {
		this.shards.queue().enqueue(KEYED);
		this.home.queue().enqueue("test", "plain");
		this.shards.away(1, true);
		assertThatExceptionOfType(DataAccessResourceFailureException.class)
			.isThrownBy(() -> this.all.move("home", "eu", 4096))
			.withMessageContaining("'eu'");
		assertThatExceptionOfType(DataAccessResourceFailureException.class)
			.isThrownBy(() -> this.moves.empty(this.home, List.of(this.eu)));
		assertThat(this.shards.engine(0).jobs()).isEqualTo(2);
		assertThat(this.shards.engine(0).number("select count(*) from rowqueue.shard_bucket")).isZero();
	}

	@Test
	void aShardDoesNotMoveKeysToItself() {
		EnqueueResult job = this.shards.queue().enqueue(KEYED);
		assertThatIllegalArgumentException().isThrownBy(() -> this.all.move("home", "home", 4096))
			.withMessageContaining("home");
		assertThat(this.shards.queue().find(job.id())).isPresent();
	}

	/** Both databases were queues of their own, and have assigned the same ids. */
	@Test
	void jobsGetNewIdsThatMoveToAShardWhichHasTheirs() {
		for (QueueShard shard : List.of(this.home, this.eu)) {
			for (JobRequest request : List.of(JobRequest.of("test", shard.name() + " \"job_id\":5").tags(shard.name()),
					KEYED.uniqueKey(shard.name()))) {
				int index = (shard == this.home) ? 0 : 1;
				long id = shard.queue().enqueue(request).id();
				long old = (request.unique() != null) ? 6 : 5;
				this.shards.engine(index).jdbc().update("update rowqueue.job set id = ? where id = ?", old, id);
				this.shards.engine(index)
					.jdbc()
					.update("update rowqueue.job_tag set job_id = ? where job_id = ?", old, id);
			}
		}
		this.moves.empty(this.home, List.of(this.eu));
		assertThat(this.shards.engine(0).jobs()).isZero();
		assertThat(this.shards.engine(1).jobs()).isEqualTo(4);
		assertThat(this.shards.engine(1)
			.jdbc()
			.queryForList("select payload #>> '{}' from rowqueue.job j join rowqueue.job_tag t on t.job_id = j.id"
					+ " where t.value = 'home' and j.id % 1024 = 2", String.class))
			.containsExactly("home \"job_id\":5");
		assertThat(this.shards.engine(1)
			.number("select count(*) from rowqueue.job where unique_key = 'home' and id % 1024 = 2")).isOne();
	}

	/**
	 * PostgreSQL stores the escape sequence of NUL, but none of its functions reads a
	 * JSON text that contains it.
	 */
	@Test
	void whatAJobHasArrivesWithAllCharactersOfJson() throws Exception {
		List<String> texts = List.of("a\0b", "\0\0", "\u001a", "\u001a0\0", "\\u0000", "\\\0\\", "\u001a1");
		long plain = this.home.queue().enqueue(JobRequest.of("test", texts)).id();
		long text = this.home.queue().enqueue(JobRequest.of("test", "\0\u001a")).id();
		long keyed = this.home.queue().enqueue(JobRequest.of("test", texts).uniqueKey("key")).id();
		this.home.queue().signal(keyed, "paid", texts);
		List<String> stored = texts(this.shards.engine(0));
		assertThat(stored).hasSize(4);
		this.moves.empty(this.home, List.of(this.eu));
		assertThat(this.shards.engine(0).jobs()).isZero();
		assertThat(texts(this.shards.engine(1))).isEqualTo(stored);
		assertThat(List.of(plain, text, keyed))
			.allSatisfy((id) -> assertThat(this.shards.queue().find(id)).isPresent());
	}

	/** Digits of an escape sequence may be upper or lower case. */
	private static List<String> texts(Engine engine) {
		return engine.jdbc()
			.queryForList(
					"""
							select lower(payload::text) from rowqueue.job union all select lower(payload::text) from rowqueue.job_signal
							union all select lower(payload::text) from rowqueue.job_on_failure order by 1""",
					String.class);
	}

}
