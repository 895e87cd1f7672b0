package io.rowqueue.engine.shard;

import java.time.Duration;
import java.util.stream.Stream;

import io.rowqueue.JobQueueException;
import io.rowqueue.JobRequest;
import io.rowqueue.admin.JobAdmin;
import io.rowqueue.admin.WorkerResult;
import io.rowqueue.flow.Batch;
import io.rowqueue.flow.BatchProgress;
import io.rowqueue.flow.Flow;
import io.rowqueue.flow.FlowAdmin;
import io.rowqueue.flow.FlowView;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** The administration of all shards. */
class ShardedAdminTests {

	private static final JobRequest LATER = JobRequest.of("test", "a").delay(Duration.ofDays(1));

	@AutoClose
	private final TestShards shards = new TestShards();

	private final QueueShard home = this.shards.shard(0);

	private final QueueShard eu = this.shards.shard(1);

	private final JobAdmin admin = new ShardedJobAdmin(this.shards.group());

	private final FlowAdmin flows = new ShardedFlowAdmin(this.shards.group());

	@Test
	void failedFlowsOfAllShardsComeFirst() {
		long one = this.home.queue().enqueue(Flow.named("one").job("only", LATER)).id();
		long two = this.eu.queue().enqueue(Flow.named("two").job("only", LATER)).id();
		long three = this.home.queue().enqueue(Flow.named("three").job("only", LATER)).id();
		this.shards.engine(1).jdbc().update("update rowqueue.flow_job set state = 'failed', ended_at = now()");
		assertThat(this.flows.unfinished(10)).extracting(FlowView::id).containsExactly(two, three, one);
		assertThat(this.flows.unfinished(1)).extracting(FlowView::id).containsExactly(two);
	}

	@Test
	void theOldestBatchesOfAllShardsComeFirst() {
		long one = this.home.queue().enqueueBatch(Batch.named("one"), Stream.of(LATER));
		long two = this.eu.queue().enqueueBatch(Batch.named("two"), Stream.of(LATER));
		this.shards.engine(1).jdbc().update("update rowqueue.batch set created_at = now() - interval '1 hour'");
		assertThat(this.flows.unfinishedBatches(10)).extracting(BatchProgress::id).containsExactly(two, one);
		assertThat(this.flows.unfinishedBatches(1)).extracting(BatchProgress::id).containsExactly(two);
	}

	@Test
	void aWorkerIsQuietAlthoughAnotherShardIsAway() {
		this.shards.engine(0)
			.jdbc()
			.update("insert into rowqueue.worker (id, name, queues, types) values (4711, 'host', '{}', '{}')");
		this.shards.engine(1).jdbc().execute("alter table rowqueue.worker rename to worker_of_before");
		assertThat(this.admin.quietWorker(4711)).isEqualTo(WorkerResult.REQUESTED);
		assertThatExceptionOfType(JobQueueException.class).isThrownBy(() -> this.admin.quietWorker(4712))
			.withMessageContaining("[eu]");
	}

}
