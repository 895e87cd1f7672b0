package io.rowqueue.autoconfigure.disabled;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.rowqueue.EnqueueResult;
import io.rowqueue.Job;
import io.rowqueue.JobQueue;
import io.rowqueue.JobRequest;
import io.rowqueue.engine.database.QueueDisabledException;
import io.rowqueue.flow.Batch;
import io.rowqueue.flow.BatchProgress;
import io.rowqueue.flow.Flow;
import io.rowqueue.flow.FlowResult;
import io.rowqueue.step.SignalResult;
import org.jspecify.annotations.Nullable;

/** Rejects every call, so that no job is accepted and lost. */
public final class DisabledJobQueue implements JobQueue {

	@Override
	public EnqueueResult enqueue(JobRequest request) {
		throw new QueueDisabledException();
	}

	@Override
	public List<EnqueueResult> enqueueAll(Collection<JobRequest> requests) {
		throw new QueueDisabledException();
	}

	@Override
	public long enqueueAll(Stream<JobRequest> requests, Consumer<? super EnqueueResult> results) {
		throw new QueueDisabledException();
	}

	@Override
	public FlowResult enqueue(Flow flow) {
		throw new QueueDisabledException();
	}

	@Override
	public long enqueueBatch(Batch batch, Stream<JobRequest> jobs) {
		throw new QueueDisabledException();
	}

	@Override
	public long addToBatch(long batchId, Stream<JobRequest> jobs) {
		throw new QueueDisabledException();
	}

	@Override
	public boolean closeBatch(long batchId) {
		throw new QueueDisabledException();
	}

	@Override
	public Optional<BatchProgress> findBatch(long batchId) {
		throw new QueueDisabledException();
	}

	@Override
	public SignalResult signal(long jobId, String name, @Nullable Object payload) {
		throw new QueueDisabledException();
	}

	@Override
	public SignalResult signal(String uniqueKey, String name, @Nullable Object payload) {
		throw new QueueDisabledException();
	}

	@Override
	public Optional<Job> find(long id) {
		throw new QueueDisabledException();
	}

	@Override
	public Optional<Job> await(long id, Duration timeout) {
		throw new QueueDisabledException();
	}

}
