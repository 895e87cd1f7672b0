package io.rowqueue.engine.enqueue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

import io.rowqueue.EnqueueResult;
import io.rowqueue.Job;
import io.rowqueue.JobQueue;
import io.rowqueue.JobRequest;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.QueueDatabases;
import io.rowqueue.engine.job.BatchStore;
import io.rowqueue.engine.job.EnqueueStore;
import io.rowqueue.engine.job.EnqueueStore.StoredFlow;
import io.rowqueue.engine.job.JobStore;
import io.rowqueue.engine.job.NewJob;
import io.rowqueue.engine.lease.KeptJobs;
import io.rowqueue.engine.signal.SignalStore;
import io.rowqueue.engine.wakeup.Arrivals;
import io.rowqueue.engine.wakeup.JobEndings;
import io.rowqueue.engine.wakeup.WakeUps;
import io.rowqueue.flow.Batch;
import io.rowqueue.flow.BatchProgress;
import io.rowqueue.flow.Flow;
import io.rowqueue.flow.FlowJob;
import io.rowqueue.flow.FlowResult;
import io.rowqueue.step.SignalResult;
import org.jspecify.annotations.Nullable;

/**
 * The {@link JobQueue} of an application: converts payloads to JSON, stores jobs in the
 * caller's transaction, and wakes workers after its commit.
 */
public final class TransactionalJobQueue implements JobQueue {

	private final EnqueueStore store;

	private final BatchStore batches;

	private final JobStore stored;

	private final Signals signals;

	private final RequestConverter converter;

	private final ChunkedEnqueue chunked;

	private final BatchEnqueue batchEnqueue;

	private final CallerTransaction transaction;

	private final WakeUps wakeUps;

	private final AwaitedJobs awaited;

	private final EnqueueHooks hooks;

	private final DirectEnqueue direct;

	private final Carriage carried;

	/**
	 * Creates the queue.
	 * @param databases the database
	 * @param kept which succeeded jobs are kept
	 * @param transaction that of the caller
	 * @param payloads writes the payloads
	 * @param wakeUps is notified of new jobs after the commit
	 * @param endings is notified when jobs of this process finish
	 * @param hooks the other participants
	 * @param carried the jobs that a message broker carries
	 */
	public TransactionalJobQueue(QueueDatabases databases, KeptJobs kept, CallerTransaction transaction,
			PayloadWriter payloads, WakeUps wakeUps, JobEndings endings, EnqueueHooks hooks, Carriage carried) {
		QueueDatabase application = databases.application();
		this.hooks = hooks;
		this.store = new EnqueueStore(application, kept);
		this.batches = new BatchStore(databases, kept);
		this.stored = new JobStore(databases);
		this.signals = new Signals(new SignalStore(application), payloads);
		this.converter = new RequestConverter(hooks, databases.worker(), payloads);
		this.chunked = new ChunkedEnqueue(this.store, carried, hooks);
		this.batchEnqueue = new BatchEnqueue(this.batches, this.converter, hooks);
		this.transaction = transaction;
		this.wakeUps = wakeUps;
		this.direct = new DirectEnqueue(this.store, this.transaction, wakeUps, hooks);
		this.awaited = new AwaitedJobs(this.stored, this.transaction, endings, carried);
		this.carried = carried;
	}

	@Override
	public EnqueueResult enqueue(JobRequest request) {
		return enqueueAll(Collections.singletonList(request)).get(0);
	}

	@Override
	public List<EnqueueResult> enqueueAll(Collection<JobRequest> given) {
		List<JobRequest> requests = given.stream().map(this.converter::complete).toList();
		return this.hooks.around(requests, (headers) -> {
			List<NewJob> jobs = requests.stream().map(this.converter.conversion(headers)).toList();
			EnqueueResult direct = (jobs.size() == 1) ? enqueueDirectly(jobs.get(0)) : null;
			if (direct != null) {
				return List.of(direct);
			}
			KeyOrder order = KeyOrder.of(jobs);
			List<EnqueueResult> results = new ArrayList<>(jobs.size());
			enqueue(order.sort(jobs).iterator(), results::add, this.chunked.writes(jobs));
			return order.restore(results);
		});
	}

	/** Returns {@code null} if the job must be stored as usual. */
	private @Nullable EnqueueResult enqueueDirectly(NewJob job) {
		if (!this.carried.contains(job)) {
			return this.direct.enqueue(job);
		}
		EnqueueResult published = this.transaction.join() ? null
				: this.carried.publish(job, this.transaction::createAnyway);
		if (published != null) {
			this.hooks.enqueued(job, published);
		}
		return published;
	}

	@Override
	public long enqueueAll(Stream<JobRequest> requests, Consumer<? super EnqueueResult> results) {
		return this.hooks.around(List.of(),
				(headers) -> enqueue(
						requests.map(this.converter::complete).map(this.converter.conversion(headers)).iterator(),
						results, WriteKind.UNTIL_REJECTED));
	}

	@Override
	public FlowResult enqueue(Flow flow) {
		List<FlowJob> jobs = flow.jobs(this.converter::complete);
		return this.hooks.around(jobs.stream().map(FlowJob::request).toList(), (headers) -> {
			NewFlow added = NewFlow.of(flow, jobs, (request) -> this.converter.convertDependent(request, headers));
			return inTransaction(added.writes(), (arrivals) -> {
				StoredFlow stored = added.store(this.store);
				added.first().forEach((request) -> ChunkedEnqueue.addArrival(request, arrivals));
				this.hooks.enqueued(added.jobs(), added.results(stored));
				return stored.result();
			});
		});
	}

	private long enqueue(Iterator<NewJob> jobs, Consumer<? super EnqueueResult> results, WriteKind writes) {
		return jobs.hasNext() ? this.transaction.commit(writes,
				(arrivals) -> this.chunked.store(jobs, results, arrivals), this.wakeUps) : 0;
	}

	@Override
	public long enqueueBatch(Batch batch, Stream<JobRequest> jobs) {
		return this.hooks.around(List.of(), (headers) -> inTransaction(WriteKind.UNTIL_REJECTED,
				(arrivals) -> this.batchEnqueue.create(batch, jobs, headers, arrivals)));
	}

	@Override
	public long addToBatch(long batchId, Stream<JobRequest> jobs) {
		return this.hooks.around(List.of(), (headers) -> inTransaction(WriteKind.UNTIL_REJECTED,
				(arrivals) -> this.batchEnqueue.add(batchId, jobs, headers, arrivals)));
	}

	@Override
	public boolean closeBatch(long batchId) {
		return inTransaction(WriteKind.AFTER_CHECKS, (arrivals) -> this.batches.close(batchId));
	}

	@Override
	public Optional<BatchProgress> findBatch(long batchId) {
		return this.batches.find(batchId);
	}

	@Override
	public SignalResult signal(long jobId, String name, @Nullable Object payload) {
		return inTransaction(WriteKind.AFTER_CHECKS, (arrivals) -> this.signals.send(jobId, name, payload, arrivals));
	}

	@Override
	public SignalResult signal(String uniqueKey, String name, @Nullable Object payload) {
		return inTransaction(WriteKind.AFTER_CHECKS,
				(arrivals) -> this.signals.send(uniqueKey, name, payload, arrivals));
	}

	private <T> T inTransaction(WriteKind writes, Function<Arrivals.Builder, T> work) {
		return this.transaction.commit(writes, (arrivals) -> {
			arrivals.addDeferred(); // maintenance releases what waits for other jobs
			return work.apply(arrivals);
		}, this.wakeUps);
	}

	@Override
	public Optional<Job> find(long id) {
		return this.stored.find(id);
	}

	@Override
	public Optional<Job> await(long id, Duration timeout) throws InterruptedException {
		return this.awaited.await(id, timeout);
	}

}
