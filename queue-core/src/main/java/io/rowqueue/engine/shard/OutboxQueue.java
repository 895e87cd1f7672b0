package io.rowqueue.engine.shard;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.rowqueue.DuplicatePolicy;
import io.rowqueue.EnqueueResult;
import io.rowqueue.Job;
import io.rowqueue.JobQueue;
import io.rowqueue.JobQueueException;
import io.rowqueue.JobRequest;
import io.rowqueue.flow.Batch;
import io.rowqueue.flow.BatchProgress;
import io.rowqueue.flow.Flow;
import io.rowqueue.flow.FlowResult;
import io.rowqueue.step.SignalResult;
import org.jspecify.annotations.Nullable;

/**
 * The queue of an outbox. Its jobs leave it one by one, so jobs that depend on each other
 * are refused.
 */
final class OutboxQueue implements JobQueue {

	private final String shard;

	private final JobQueue queue;

	OutboxQueue(String shard, JobQueue queue) {
		this.shard = shard;
		this.queue = queue;
	}

	@Override
	public EnqueueResult enqueue(JobRequest request) {
		return this.queue.enqueue(check(request));
	}

	@Override
	public List<EnqueueResult> enqueueAll(Collection<JobRequest> requests) {
		return this.queue.enqueueAll(requests.stream().map(this::check).toList());
	}

	@Override
	public long enqueueAll(Stream<JobRequest> requests, Consumer<? super EnqueueResult> results) {
		return this.queue.enqueueAll(requests.map(this::check), results);
	}

	private JobRequest check(JobRequest request) {
		if (!request.predecessors().ids().isEmpty()) {
			throw refused("Jobs that run after others");
		}
		if (request.unique() != null && request.unique().duplicates() instanceof DuplicatePolicy.Reject) {
			throw new JobQueueException(
					("The outbox '%s' cannot reject duplicates: whether the unique key is taken shows"
							+ " when the job arrives in another shard. Set another policy, in the request or in the"
							+ " declaration of its type, or enqueue the job outside of transactions of the outbox")
						.formatted(this.shard));
		}
		return request;
	}

	@Override
	public FlowResult enqueue(Flow flow) {
		throw refused("Flows");
	}

	@Override
	public long enqueueBatch(Batch batch, Stream<JobRequest> jobs) {
		throw refused("Batches");
	}

	@Override
	public long addToBatch(long batchId, Stream<JobRequest> jobs) {
		throw refused("Batches");
	}

	@Override
	public boolean closeBatch(long batchId) {
		throw refused("Batches");
	}

	private JobQueueException refused(String what) {
		return new JobQueueException(
				("%s cannot be enqueued in the outbox '%s', whose jobs are handed over to other shards"
						+ " one by one. Enqueue a job there that enqueues them when it runs")
					.formatted(what, this.shard));
	}

	@Override
	public Optional<BatchProgress> findBatch(long batchId) {
		return this.queue.findBatch(batchId);
	}

	@Override
	public SignalResult signal(long jobId, String name, @Nullable Object payload) {
		return this.queue.signal(jobId, name, payload);
	}

	@Override
	public SignalResult signal(String uniqueKey, String name, @Nullable Object payload) {
		return this.queue.signal(uniqueKey, name, payload);
	}

	@Override
	public Optional<Job> find(long id) {
		return this.queue.find(id);
	}

	@Override
	public Optional<Job> await(long id, Duration timeout) throws InterruptedException {
		return this.queue.await(id, timeout);
	}

}
