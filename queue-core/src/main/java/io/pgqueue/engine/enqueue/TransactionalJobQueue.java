package io.pgqueue.engine.enqueue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.pgqueue.DuplicatePolicy;
import io.pgqueue.EnqueueResult;
import io.pgqueue.EnqueueResult.Outcome;
import io.pgqueue.Job;
import io.pgqueue.JobQueue;
import io.pgqueue.JobRequest;
import io.pgqueue.PayloadCodec;
import io.pgqueue.SignalResult;
import io.pgqueue.UniqueKey;
import io.pgqueue.engine.flow.BatchStore;
import io.pgqueue.engine.job.EnqueueStore;
import io.pgqueue.engine.job.JobStore;
import io.pgqueue.engine.job.NewJob;
import io.pgqueue.engine.job.StoredFlow;
import io.pgqueue.engine.outbox.CarriedJobs;
import io.pgqueue.engine.wakeup.Arrivals;
import io.pgqueue.engine.wakeup.JobEndings;
import io.pgqueue.engine.wakeup.WakeUps;
import io.pgqueue.flow.Batch;
import io.pgqueue.flow.BatchProgress;
import io.pgqueue.flow.Flow;
import io.pgqueue.flow.FlowJob;
import io.pgqueue.flow.FlowResult;
import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;
import org.springframework.util.unit.DataSize;

/**
 * The {@link JobQueue} of an application: converts payloads to JSON, stores jobs in the
 * caller's transaction, and wakes workers after its commit.
 */
public final class TransactionalJobQueue implements JobQueue {

	/** The default maximum size of a payload: one megabyte of JSON. */
	public static final DataSize DEFAULT_MAX_PAYLOAD_SIZE = DataSize.ofMegabytes(1);

	/** The resolution of PostgreSQL's times: a shorter delay is none. */
	private static final Duration MIN_DELAY = Duration.ofNanos(1000);

	private final EnqueueStore store;

	private final BatchStore batches;

	private final JobStore stored;

	private final Signals signals;

	private final PayloadWriter payloads;

	private final WindowedRequests windowed;

	private final ExpiringRequests expiring;

	private final CallerTransaction transaction;

	private final WakeUps wakeUps;

	private final AwaitedJobs awaited;

	private final EnqueueHooks hooks;

	private final DirectEnqueue direct;

	private final CarriedJobs carried;

	private final Function<List<NewJob>, List<EnqueueResult>> storing;

	/**
	 * Creates a queue without a message broker.
	 * @param database the stores
	 * @param dataSource the data source that jobs are enqueued with
	 * @param codec writes the payloads
	 * @param maxPayloadSize the maximum size of a payload as JSON, in bytes of UTF-8
	 * @param wakeUps is notified of new jobs after the commit
	 * @param endings is notified when jobs of this process finish
	 * @param hooks the other participants
	 * @throws IllegalArgumentException if the size is not from a byte to 256 megabytes
	 */
	public TransactionalJobQueue(EnqueueDatabase database, DataSource dataSource, PayloadCodec codec,
			DataSize maxPayloadSize, WakeUps wakeUps, JobEndings endings, EnqueueHooks hooks) {
		this(database, dataSource, codec, maxPayloadSize, wakeUps, endings, hooks, CarriedJobs.NONE);
	}

	/**
	 * Creates the queue.
	 * @param database the stores
	 * @param dataSource the data source that jobs are enqueued with
	 * @param codec writes the payloads
	 * @param maxPayloadSize the maximum size of a payload as JSON, in bytes of UTF-8
	 * @param wakeUps is notified of new jobs after the commit
	 * @param endings is notified when jobs of this process finish
	 * @param hooks the other participants
	 * @param carried the jobs that a message broker carries
	 * @throws IllegalArgumentException if the size is not from a byte to 256 megabytes
	 */
	public TransactionalJobQueue(EnqueueDatabase database, DataSource dataSource, PayloadCodec codec,
			DataSize maxPayloadSize, WakeUps wakeUps, JobEndings endings, EnqueueHooks hooks, CarriedJobs carried) {
		this.hooks = hooks;
		checkMaxPayloadSize(maxPayloadSize);
		this.store = database.jobs();
		this.batches = database.batches();
		this.stored = database.stored();
		this.payloads = new PayloadWriter(codec, maxPayloadSize);
		this.signals = new Signals(database.signals(), this.payloads);
		this.windowed = new WindowedRequests(database.windows());
		this.expiring = new ExpiringRequests(database.windows()::now);
		this.transaction = new CallerTransaction(dataSource);
		this.wakeUps = wakeUps;
		this.direct = new DirectEnqueue(this.store, this.transaction, wakeUps, hooks);
		this.awaited = new AwaitedJobs(this.stored, this.transaction, endings, carried);
		this.carried = carried;
		EnqueueStore jobs = this.store;
		this.storing = carried.isEmpty() ? jobs::enqueue : (batch) -> carried.store(batch, jobs::enqueue);
	}

	/**
	 * Checks the maximum size of payloads.
	 * @param maxPayloadSize the maximum size of a payload as JSON, in bytes of UTF-8
	 * @throws IllegalArgumentException if the size is not from one byte to 256 megabytes,
	 * which server and driver can still transfer
	 */
	public static void checkMaxPayloadSize(DataSize maxPayloadSize) {
		Assert.isTrue(maxPayloadSize.toBytes() > 0 && maxPayloadSize.toMegabytes() <= 256,
				() -> "maxPayloadSize must be from 1B to 256MB, not " + maxPayloadSize);
	}

	@Override
	public EnqueueResult enqueue(JobRequest request) {
		return enqueueAll(List.of(request)).get(0);
	}

	@Override
	public List<EnqueueResult> enqueueAll(Collection<JobRequest> given) {
		List<JobRequest> requests = given.stream().map(this::complete).toList();
		return this.hooks.around(requests, (headers) -> {
			List<NewJob> jobs = requests.stream().map((request) -> write(request, headers)).toList();
			EnqueueResult direct = (jobs.size() == 1) ? enqueueDirectly(jobs.get(0)) : null;
			if (direct != null) {
				return List.of(direct);
			}
			List<EnqueueResult> results = new ArrayList<>(jobs.size());
			enqueue(jobs.iterator(), results::add, isOneStatement(jobs));
			return results;
		});
	}

	/** Returns {@code null} if the job must be stored as usual. */
	private @Nullable EnqueueResult enqueueDirectly(NewJob job) {
		if (!this.carried.contains(job)) {
			return this.direct.enqueue(job);
		}
		EnqueueResult published = this.transaction.isActive() ? null : this.carried.publish(job);
		if (published != null) {
			this.hooks.enqueued(job, published);
		}
		return published;
	}

	@Override
	public long enqueueAll(Stream<JobRequest> requests, Consumer<? super EnqueueResult> results) {
		return this.hooks.around(List.of(),
				(headers) -> enqueue(requests.map(this::complete).map((request) -> write(request, headers)).iterator(),
						results, false));
	}

	/** Applies the defaults of the type, and determines when the job expires. */
	private JobRequest complete(JobRequest request) {
		JobRequest completed = this.expiring.date(this.hooks.complete(request));
		JobRequest onFailure = completed.onFailure();
		return (onFailure != null) ? completed.onFailure(this.hooks.complete(onFailure)) : completed;
	}

	private NewJob write(JobRequest request, @Nullable String headers) {
		return this.payloads.write(this.windowed.putOff(request), headers);
	}

	@Override
	public FlowResult enqueue(Flow flow) {
		List<FlowJob> jobs = flow.jobs()
			.stream()
			.map((job) -> new FlowJob(job.name(), complete(job.request()), job.after(), job.before()))
			.toList();
		return this.hooks.around(jobs.stream().map(FlowJob::request).toList(), (headers) -> {
			NewFlow added = NewFlow.of(flow, jobs, (request) -> this.payloads.write(request, headers));
			return inTransaction((arrivals) -> {
				StoredFlow stored = added.store(this.store);
				if (!stored.result().created()) {
					return stored.result();
				}
				added.first().forEach((request) -> add(request, arrivals));
				this.hooks.enqueued(added.jobs(), added.results(stored));
				return stored.result();
			});
		});
	}

	private boolean isOneStatement(List<NewJob> jobs) {
		return (jobs.size() == 1)
				? jobs.get(0).merge() == null && jobs.get(0).request().predecessors().ids().isEmpty()
						&& !jobs.get(0).hasLabels()
				: StatementChunks.isOne(jobs) && jobs.stream().allMatch(TransactionalJobQueue::isPlain)
						&& this.carried.containsAllOrNone(jobs);
	}

	private static boolean isPlain(NewJob job) {
		JobRequest request = job.request();
		return request.unique() == null && request.limitKey() == null && request.predecessors().ids().isEmpty()
				&& !job.hasLabels();
	}

	private long enqueue(Iterator<NewJob> jobs, Consumer<? super EnqueueResult> results, boolean oneStatement) {
		return jobs.hasNext() ? this.transaction.commit(oneStatement,
				(arrivals) -> store(jobs, this.storing, this.carried, results, arrivals), this.wakeUps) : 0;
	}

	@Override
	public long enqueueBatch(Batch batch, Stream<JobRequest> jobs) {
		return this.hooks.around(List.of(), (headers) -> inTransaction((arrivals) -> {
			long id = this.batches.create(batch.name(), batch.open(),
					batch.callbacks().stream().map(Batch.Callback::event).toList(),
					batch.callbacks()
						.stream()
						.map((each) -> this.payloads.write(complete(each.request()), headers))
						.toList());
			addToBatch(id, jobs, headers, arrivals);
			return id;
		}));
	}

	@Override
	public long addToBatch(long batchId, Stream<JobRequest> jobs) {
		return this.hooks.around(List.of(), (headers) -> inTransaction((arrivals) -> {
			this.batches.hold(batchId);
			return addToBatch(batchId, jobs, headers, arrivals);
		}));
	}

	private long addToBatch(long id, Stream<JobRequest> jobs, @Nullable String headers, Arrivals.Builder arrivals) {
		Iterator<NewJob> written = jobs.map(this::complete).map((request) -> {
			UniqueKey key = request.unique();
			Assert.isTrue(
					key == null || key.duplicates() instanceof DuplicatePolicy.Keep
							|| key.duplicates() instanceof DuplicatePolicy.Reject,
					"a job of a batch can only keep or reject duplicates of its unique key");
			return write(request, headers);
		}).iterator();
		AtomicLong added = new AtomicLong();
		store(written, (batch) -> this.batches.add(id, batch), CarriedJobs.NONE,
				(result) -> added.addAndGet((result.outcome() == Outcome.CREATED) ? 1 : 0), arrivals);
		return added.get();
	}

	@Override
	public boolean closeBatch(long batchId) {
		return inTransaction((arrivals) -> this.batches.close(batchId));
	}

	@Override
	public Optional<BatchProgress> findBatch(long batchId) {
		return this.batches.find(batchId);
	}

	@Override
	public SignalResult signal(long jobId, String name, @Nullable Object payload) {
		return inTransaction((arrivals) -> this.signals.send(jobId, name, payload, arrivals));
	}

	@Override
	public SignalResult signal(String uniqueKey, String name, @Nullable Object payload) {
		return inTransaction((arrivals) -> this.signals.send(uniqueKey, name, payload, arrivals));
	}

	private <T> T inTransaction(Function<Arrivals.Builder, T> work) {
		return this.transaction.commit(false, work, this.wakeUps);
	}

	@Override
	public Optional<Job> find(long id) {
		return this.stored.find(id);
	}

	@Override
	public Optional<Job> await(long id, Duration timeout) throws InterruptedException {
		return this.awaited.await(id, timeout);
	}

	private static void add(NewJob job, Outcome outcome, CarriedJobs carried, Arrivals.Builder arrivals) {
		if (carried.contains(job)) {
			arrivals.add(Arrivals.OUTBOX);
		}
		else if (mayBeDue(job.request(), outcome)) {
			add(job.request(), arrivals);
		}
	}

	private long store(Iterator<NewJob> jobs, Function<List<NewJob>, List<EnqueueResult>> storing, CarriedJobs carried,
			Consumer<? super EnqueueResult> consumer, Arrivals.Builder arrivals) {
		long stored = 0;
		for (StatementChunks chunks = new StatementChunks(jobs); chunks.hasNext();) {
			List<NewJob> chunk = chunks.next();
			List<EnqueueResult> results = storing.apply(chunk);
			for (int i = 0; i < chunk.size(); i++) {
				add(chunk.get(i), results.get(i).outcome(), carried, arrivals);
			}
			this.hooks.enqueued(chunk, results);
			results.forEach(consumer);
			stored += chunk.size();
		}
		return stored;
	}

	private static void add(JobRequest request, Arrivals.Builder arrivals) {
		arrivals.add(request.queue(), request.limitKey() != null);
	}

	/**
	 * A run-at time may have passed by the database's clock, which is not queried again.
	 */
	private static boolean mayBeDue(JobRequest request, Outcome outcome) {
		return (request.delay().compareTo(MIN_DELAY) < 0) ? outcome == Outcome.CREATED || outcome == Outcome.REPLACED
				: outcome == Outcome.REPLACED && request.unique() != null
						&& request.unique().duplicates() instanceof DuplicatePolicy.Replace policy
						&& policy.atMost() != null;
	}

}
