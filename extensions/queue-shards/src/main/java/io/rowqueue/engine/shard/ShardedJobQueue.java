package io.rowqueue.engine.shard;

import java.time.Duration;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import io.rowqueue.EnqueueResult;
import io.rowqueue.Job;
import io.rowqueue.JobQueue;
import io.rowqueue.JobRequest;
import io.rowqueue.engine.database.TransactionCheck;
import io.rowqueue.engine.job.UnknownPredecessorException;
import io.rowqueue.engine.support.Outage;
import io.rowqueue.engine.support.UncommittedException;
import io.rowqueue.flow.Batch;
import io.rowqueue.flow.BatchProgress;
import io.rowqueue.flow.Flow;
import io.rowqueue.flow.FlowJob;
import io.rowqueue.flow.FlowResult;
import io.rowqueue.step.SignalResult;
import org.jspecify.annotations.Nullable;

/**
 * The {@link JobQueue} of an application with several shards: passes each call on to the
 * queue of one of them. What is stored by one call is stored in one shard.
 */
public final class ShardedJobQueue implements JobQueue {

	private final ShardGroup group;

	private final UnaryOperator<JobRequest> defaults;

	private final ShardChoice choice;

	private final KeyedEnqueue keyed;

	private final JobLocator locator;

	/**
	 * Creates the queue.
	 * @param group the shards
	 * @param defaults applies the defaults of a declared type, which may have keys
	 * @param transactional whether a transactional handler of this application runs a
	 * type
	 * @param everySuccessIsKept whether all succeeded jobs are kept
	 * @param check of calls outside of transactions of the shards
	 */
	public ShardedJobQueue(ShardGroup group, UnaryOperator<JobRequest> defaults, Predicate<String> transactional,
			boolean everySuccessIsKept, TransactionCheck check) {
		this.group = group;
		this.defaults = defaults;
		this.choice = new ShardChoice(group, transactional, everySuccessIsKept);
		this.keyed = new KeyedEnqueue(group, check);
		this.locator = new JobLocator(group);
	}

	@Override
	public EnqueueResult enqueue(JobRequest given) {
		JobRequest request = this.defaults.apply(given);
		return store(List.of(request), (queue) -> queue.enqueue(request));
	}

	@Override
	public List<EnqueueResult> enqueueAll(Collection<JobRequest> given) {
		List<JobRequest> requests = given.stream().map(this.defaults).toList();
		return store(requests, (queue) -> queue.enqueueAll(requests));
	}

	@Override
	public long enqueueAll(Stream<JobRequest> requests, Consumer<? super EnqueueResult> results) {
		return store(List.of(), requests.map(this.defaults), (queue, checked) -> queue.enqueueAll(checked, results));
	}

	@Override
	public FlowResult enqueue(Flow flow) {
		List<JobRequest> requests = flow.jobs().stream().map(FlowJob::request).map(this.defaults).toList();
		Flow.Adder adder = flow.adder();
		if (adder != null) {
			return enqueueIn(this.choice.toAddTo(adder.jobId(), "job"), flow, requests);
		}
		this.choice.of(requests).filter(QueueShard::isInTransaction).ifPresent((shard) -> hold(shard, requests));
		return store(requests, (queue) -> queue.enqueue(flow));
	}

	private FlowResult enqueueIn(QueueShard shard, Flow flow, List<JobRequest> requests) {
		boolean joined = shard.isInTransaction();
		requests.forEach((request) -> this.choice.check(request, shard, joined));
		if (joined) {
			hold(shard, requests);
		}
		List<Integer> buckets = joined ? List.of() : Buckets.of(requests);
		return buckets.isEmpty() ? shard.queue().enqueue(flow)
				: this.keyed.enqueue(buckets, () -> shard, (queue) -> queue.enqueue(flow));
	}

	/** A flow in the caller's transaction may get jobs that have its keys already. */
	private static void hold(QueueShard shard, List<JobRequest> requests) {
		Buckets.of(requests).stream().sorted().forEach(shard.keys()::hold);
	}

	@Override
	public long enqueueBatch(Batch batch, Stream<JobRequest> jobs) {
		return store(batch.callbacks().stream().map(Batch.Callback::request).map(this.defaults).toList(),
				jobs.map(this.defaults), (queue, checked) -> queue.enqueueBatch(batch, checked));
	}

	@Override
	public long addToBatch(long batchId, Stream<JobRequest> jobs) {
		QueueShard shard = this.choice.toAddTo(batchId, "batch");
		boolean joined = shard.isInTransaction();
		Stream<JobRequest> all = jobs.map(this.defaults).map((job) -> this.choice.check(job, shard, joined));
		return joined ? shard.queue().addToBatch(batchId, all)
				: this.keyed.enqueueAll(shard, List.of(), all, (checked) -> shard.queue().addToBatch(batchId, checked));
	}

	@Override
	public boolean closeBatch(long batchId) {
		return this.choice.toAddTo(batchId, "batch").queue().closeBatch(batchId);
	}

	@Override
	public Optional<BatchProgress> findBatch(long batchId) {
		return this.group.named(batchId).queue().findBatch(batchId);
	}

	@Override
	public SignalResult signal(long jobId, String name, @Nullable Object payload) {
		QueueShard shard = this.locator.of(jobId);
		SignalResult result = shard.queue().signal(jobId, name, payload);
		if (result != SignalResult.NO_SUCH_JOB) {
			return result;
		}
		QueueShard now = this.locator.of(jobId); // it may have been moved in between
		return (now != shard) ? now.queue().signal(jobId, name, payload) : result;
	}

	@Override
	public SignalResult signal(String uniqueKey, String name, @Nullable Object payload) {
		SignalResult result = this.group.inTransaction().isEmpty()
				? this.keyed.enqueue(List.of(Buckets.of(uniqueKey)), () -> this.group.ofKey(uniqueKey),
						(queue) -> queue.signal(uniqueKey, name, payload))
				: this.group.withKey(uniqueKey).queue().signal(uniqueKey, name, payload);
		return (result != SignalResult.NO_SUCH_JOB) ? result
				: this.locator.ofKey(uniqueKey)
					.map((shard) -> shard.queue().signal(uniqueKey, name, payload))
					.orElse(result);
	}

	@Override
	public Optional<Job> find(long id) {
		return this.group.search(id, (shard) -> shard.queue().find(id));
	}

	@Override
	public Optional<Job> await(long id, Duration timeout) throws InterruptedException {
		long begin = System.nanoTime();
		Optional<QueueShard> holder = this.locator.find(id, timeout);
		while (holder.isPresent()) {
			Optional<Job> job = holder.get().queue().await(id, left(timeout, begin));
			if (job.isPresent()) {
				return job;
			}
			// it was moved meanwhile
			holder = this.locator.find(id, left(timeout, begin));
		}
		return this.group.named(id).queue().await(id, left(timeout, begin));
	}

	private static Duration left(Duration timeout, long begin) {
		return timeout.minusNanos(System.nanoTime() - begin);
	}

	private <T> T store(Collection<JobRequest> requests, Function<JobQueue, T> enqueue) {
		Optional<QueueShard> chosen = this.choice.of(requests);
		if (chosen.isEmpty()) {
			return anywhere((shard) -> enqueue.apply(shard.queue()), UncommittedException.class::isInstance);
		}
		try {
			return store(requests, chosen.get(), () -> this.choice.of(requests).orElseThrow(), enqueue);
		}
		catch (UnknownPredecessorException ex) {
			QueueShard located = this.choice.located(requests).orElseThrow();
			if (located == chosen.get() || located.isInTransaction()) {
				throw ex;
			}
			return store(requests, located, () -> located, enqueue);
		}
	}

	private <T> T store(Collection<JobRequest> requests, QueueShard shard, Supplier<QueueShard> owner,
			Function<JobQueue, T> enqueue) {
		List<Integer> buckets = shard.isInTransaction() ? List.of() : Buckets.of(requests);
		return buckets.isEmpty() ? enqueue.apply(shard.queue()) : this.keyed.enqueue(buckets, owner, enqueue);
	}

	/**
	 * Another shard is tried only if it is known that nothing was stored in the first: a
	 * job whose commit was not answered may be there.
	 * @param uncommitted whether an error says so
	 */
	private <T> T anywhere(Function<QueueShard, T> enqueue, Predicate<RuntimeException> uncommitted) {
		RuntimeException first = null;
		for (QueueShard shard : this.group.inTurn()) {
			try {
				return enqueue.apply(shard);
			}
			catch (RuntimeException ex) {
				if (!uncommitted.test(ex)) {
					throw ex;
				}
				shard.avoid();
				if (first == null) {
					first = ex;
				}
				else {
					first.addSuppressed(ex);
				}
			}
		}
		throw (first != null) ? first : new IllegalStateException("There is always the home shard");
	}

	/**
	 * The first job decides; the others are read while they are stored. The transaction
	 * asks the database for its isolation level before, so that a lost connection is
	 * noticed while another shard can still be tried.
	 */
	private long store(Collection<JobRequest> known, Stream<JobRequest> jobs, Storing storing) {
		Iterator<JobRequest> all = jobs.iterator();
		List<JobRequest> begin = all.hasNext() ? List.of(all.next()) : List.of();
		RemainingRequests rest = new RemainingRequests(all);
		return this.choice.located(Stream.concat(known.stream(), begin.stream()).toList())
			.map((shard) -> store(shard, known, begin, rest, storing))
			.orElseGet(() -> anywhere((shard) -> store(shard, known, begin, rest, storing),
					(ex) -> rest.isUnread() && (Outage.isAway(ex) || Outage.isUnconnected(ex))));
	}

	private long store(QueueShard shard, Collection<JobRequest> known, List<JobRequest> begin, RemainingRequests rest,
			Storing storing) {
		boolean joined = shard.isInTransaction();
		Stream<JobRequest> all = Stream.concat(begin.stream(),
				rest.stream().map((job) -> this.choice.check(job, shard, joined)));
		return joined ? storing.store(shard.queue(), all) : this.keyed.enqueueAll(shard, Buckets.of(known), all,
				(checked) -> storing.store(shard.queue(), checked));
	}

	/** Stores a stream of jobs. */
	@FunctionalInterface
	private interface Storing {

		long store(JobQueue queue, Stream<JobRequest> jobs);

	}

}
