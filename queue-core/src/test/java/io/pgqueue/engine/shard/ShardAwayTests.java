package io.pgqueue.engine.shard;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import com.zaxxer.hikari.HikariDataSource;
import io.pgqueue.EnqueueResult;
import io.pgqueue.JobRequest;
import io.pgqueue.JobState;
import io.pgqueue.shard.ShardRole;
import io.pgqueue.testing.TestProcess;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** A database that goes away hurts its own jobs only. */
class ShardAwayTests {

	private static final int AWAY = 1;

	@AutoClose
	private final TestShards shards = new TestShards(ShardRole.QUEUE, Duration.ofSeconds(1));

	@Test
	void itsJobsWaitAndThoseWithoutAKeyAreEnqueuedAndRunInTheOthers() {
		JobRequest keyed = JobRequest.of("test", "").uniqueKey("key");
		new ShardMoves(this.shards.group()).moveBuckets(this.shards.shard(0), this.shards.shard(AWAY), 4096);
		EnqueueResult waiting = this.shards.queue().enqueue(keyed);
		this.shards.engine(AWAY).allowConnections(false);
		evictConnections(); // Hikari does not check those that were used a moment ago
		try (TestProcess home = run(0); TestProcess us = run(2)) {
			List<Long> ids = IntStream.range(0, 9)
				.mapToObj((i) -> this.shards.queue().enqueue("test", "").id())
				.toList();
			for (long id : ids) {
				int number = Math.toIntExact(id % 1024);
				this.shards.engine((number == this.shards.shard(0).number()) ? 0 : 2)
					.awaitState(id, JobState.SUCCEEDED);
			}
			assertThatExceptionOfType(TransactionException.class).as("a key of it")
				.isThrownBy(() -> this.shards.queue().enqueue(keyed));
			TransactionTemplate transaction = new TransactionTemplate(
					new DataSourceTransactionManager(this.shards.shard(AWAY).dataSource()));
			assertThatExceptionOfType(TransactionException.class).as("a transaction of it")
				.isThrownBy(() -> transaction.execute((status) -> this.shards.queue().enqueue("test", "")));
		}
		this.shards.engine(AWAY).allowConnections(true);
		try (TestProcess back = run(AWAY)) {
			this.shards.engine(AWAY).awaitState(waiting.id(), JobState.SUCCEEDED);
		}
	}

	private void evictConnections() {
		HikariDataSource pool = (HikariDataSource) this.shards.shard(AWAY).dataSource();
		pool.getHikariPoolMXBean().softEvictConnections();
	}

	private TestProcess run(int shard) {
		return this.shards.engine(shard).process().handle("test", (payload, job) -> {
		}).start();
	}

}
