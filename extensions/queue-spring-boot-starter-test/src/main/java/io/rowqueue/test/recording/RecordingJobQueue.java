package io.rowqueue.test.recording;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.rowqueue.DuplicateJobException;
import io.rowqueue.DuplicatePolicy;
import io.rowqueue.EnqueueResult;
import io.rowqueue.EnqueueResult.Outcome;
import io.rowqueue.Job;
import io.rowqueue.JobQueue;
import io.rowqueue.JobQueueException;
import io.rowqueue.JobRequest;
import io.rowqueue.PayloadCodec;
import io.rowqueue.UniqueKey;
import io.rowqueue.engine.codec.PayloadKey;
import io.rowqueue.test.recording.RecordedJobs.Changes;
import io.rowqueue.flow.Batch;
import io.rowqueue.flow.BatchProgress;
import io.rowqueue.flow.Flow;
import io.rowqueue.flow.FlowJob;
import io.rowqueue.flow.FlowResult;
import io.rowqueue.step.SignalResult;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records jobs in memory and runs none, for tests without PostgreSQL: see
 * {@link io.rowqueue.test.autoconfigure.RecordJobs @RecordJobs}. As in a database, a job
 * is forgotten if its transaction is rolled back, a payload must be convertible to JSON,
 * and a unique key is taken once. A job with a taken key is kept, replaced or rejected,
 * as its policy for duplicates says; payloads are not merged. Defaults of a type apply to
 * requests that are made with its {@link io.rowqueue.JobType}, and not to those that name
 * it as a string; neither interceptors nor listeners are called.
 * {@link io.rowqueue.admin.JobAdmin} cancels and reschedules recorded jobs. Only the
 * latest {@value #MAX_JOBS} jobs are kept.
 *
 * @since 0.1.0
 */
public final class RecordingJobQueue implements JobQueue {

	/** How many jobs are kept. */
	public static final int MAX_JOBS = 1000;

	private static final Logger logger = LoggerFactory.getLogger(RecordingJobQueue.class);

	private final AtomicLong ids = new AtomicLong();

	private final RecordedJobs jobs = new RecordedJobs(MAX_JOBS);

	private final PayloadCodec codec;

	RecordingJobQueue(PayloadCodec codec) {
		this.codec = codec;
	}

	/**
	 * Returns the recorded jobs.
	 * @return the requests, in the order of the enqueues
	 */
	public List<JobRequest> requests() {
		return this.jobs.requests();
	}

	/** Forgets all recorded jobs. */
	public void clear() {
		this.jobs.clear();
	}

	@Override
	public EnqueueResult enqueue(JobRequest request) {
		return this.jobs.atomically((call) -> enqueue(request, call));
	}

	private EnqueueResult enqueue(JobRequest given, Changes call) {
		JobRequest request = PayloadKey.derive(given, this.codec);
		String json = this.codec.write(request.payload(), request.type());
		UniqueKey unique = request.unique();
		Long taken = (unique != null) ? this.jobs.idOf(unique.value()) : null;
		if (unique != null && taken != null) {
			return duplicate(taken, unique, request, json, call);
		}
		long id = this.ids.incrementAndGet();
		this.jobs.put(id, request, json, call);
		logger.info("Job {} ({}) is recorded and does not run", id, request.type());
		return new EnqueueResult(id, Outcome.CREATED);
	}

	private EnqueueResult duplicate(long id, UniqueKey unique, JobRequest request, @Nullable String json,
			Changes call) {
		if (unique.duplicates() instanceof DuplicatePolicy.Reject) {
			throw new DuplicateJobException(unique.value(), id);
		}
		if (unique.duplicates() instanceof DuplicatePolicy.Replace) {
			this.jobs.put(id, request, json, call);
			logger.info("Job {} ({}) is replaced in the record, and does not run", id, request.type());
			return new EnqueueResult(id, Outcome.REPLACED);
		}
		return new EnqueueResult(id, Outcome.KEPT);
	}

	/** What is recorded, for those who change it. */
	RecordedJobs recorded() {
		return this.jobs;
	}

	@Override
	public List<EnqueueResult> enqueueAll(Collection<JobRequest> requests) {
		return this.jobs.atomically((call) -> requests.stream().map((request) -> enqueue(request, call)).toList());
	}

	@Override
	public long enqueueAll(Stream<JobRequest> requests, Consumer<? super EnqueueResult> results) {
		return this.jobs.atomically((call) -> {
			List<EnqueueResult> all = new ArrayList<>();
			requests.forEachOrdered((request) -> all.add(enqueue(request, call)));
			all.forEach(results);
			return (long) all.size();
		});
	}

	@Override
	public FlowResult enqueue(Flow flow) {
		return this.jobs.atomically((call) -> {
			Map<String, Long> jobIds = new LinkedHashMap<>();
			for (FlowJob job : flow.jobs()) {
				jobIds.put(job.name(), enqueue(job.request(), call).id());
			}
			return new FlowResult(this.ids.incrementAndGet(), jobIds);
		});
	}

	@Override
	public long enqueueBatch(Batch batch, Stream<JobRequest> jobs) {
		enqueueAll(jobs);
		return this.ids.incrementAndGet();
	}

	@Override
	public long addToBatch(long batchId, Stream<JobRequest> jobs) {
		return enqueueAll(jobs);
	}

	/** Returns {@code true}: batches are not recorded, only their jobs. */
	@Override
	public boolean closeBatch(long batchId) {
		return true;
	}

	/** Returns nothing: batches are not recorded, only their jobs. */
	@Override
	public Optional<BatchProgress> findBatch(long batchId) {
		return Optional.empty();
	}

	/** Returns whether the job is recorded; the signal itself is not. */
	@Override
	public SignalResult signal(long jobId, String name, @Nullable Object payload) {
		return this.jobs.find(jobId).isPresent() ? SignalResult.STORED : SignalResult.NO_SUCH_JOB;
	}

	/** Returns whether a job with the key is recorded; the signal itself is not. */
	@Override
	public SignalResult signal(String uniqueKey, String name, @Nullable Object payload) {
		return (this.jobs.idOf(uniqueKey) != null) ? SignalResult.STORED : SignalResult.NO_SUCH_JOB;
	}

	@Override
	public Optional<Job> find(long id) {
		return this.jobs.find(id);
	}

	/**
	 * Fails, because no job ever finishes.
	 * @throws JobQueueException always
	 */
	@Override
	public Optional<Job> await(long id, Duration timeout) {
		throw new JobQueueException("Job " + Objects.toString(id) + " never finishes: @RecordJobs records jobs and runs"
				+ " none. Test what awaits a job on PostgreSQL.");
	}

}
