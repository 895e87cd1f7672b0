package io.pgqueue.enqueue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import javax.sql.DataSource;

import io.pgqueue.EnqueueResult;
import io.pgqueue.Job;
import io.pgqueue.JobQueue;
import io.pgqueue.JobRequest;
import io.pgqueue.codec.PayloadCodec;
import io.pgqueue.store.JobStore;
import io.pgqueue.store.NewJob;
import io.pgqueue.wakeup.WakeUps;

/**
 * The {@link JobQueue} over a store: payloads become JSON, jobs become rows in the
 * caller's transaction, and workers are woken when that has committed.
 */
public final class TransactionalJobQueue implements JobQueue {

	/** How many jobs one statement stores. */
	static final int BATCH = 1000;

	/** PostgreSQL counts in microseconds: anything shorter is none. */
	private static final Duration SHORTEST_DELAY = Duration.ofNanos(1000);

	private final JobStore store;

	private final PayloadCodec codec;

	private final CallerTransaction transaction;

	private final WakeUps wakeUps;

	private final AwaitedJobs awaited;

	/**
	 * Creates the queue.
	 * @param store where the jobs go
	 * @param dataSource the one that the store enqueues over
	 * @param codec writes the payloads
	 * @param wakeUps told of new jobs once they are committed
	 */
	public TransactionalJobQueue(JobStore store, DataSource dataSource, PayloadCodec codec, WakeUps wakeUps) {
		this.store = store;
		this.codec = codec;
		this.transaction = new CallerTransaction(dataSource);
		this.wakeUps = wakeUps;
		this.awaited = new AwaitedJobs(store, this.transaction, wakeUps.endings());
	}

	@Override
	public EnqueueResult enqueue(JobRequest request) {
		return enqueueAll(List.of(request)).get(0);
	}

	@Override
	public List<EnqueueResult> enqueueAll(Collection<JobRequest> requests) {
		List<NewJob> jobs = requests.stream()
			.map((request) -> new NewJob(request, this.codec.write(request.payload(), request.type())))
			.toList();
		if (jobs.isEmpty()) {
			return List.of();
		}
		if (this.transaction.isActive()) {
			List<EnqueueResult> results = store(jobs);
			this.transaction.afterCommit(queuesToWake(jobs, results), this.wakeUps);
			return results;
		}
		List<EnqueueResult> results = this.transaction.create(() -> store(jobs));
		this.wakeUps.jobsArrived(queuesToWake(jobs, results));
		return results;
	}

	@Override
	public Optional<Job> find(long id) {
		return this.store.find(id);
	}

	@Override
	public Optional<Job> await(long id, Duration timeout) throws InterruptedException {
		return this.awaited.await(id, timeout);
	}

	private List<EnqueueResult> store(List<NewJob> jobs) {
		List<EnqueueResult> results = new ArrayList<>(jobs.size());
		for (int from = 0; from < jobs.size(); from += BATCH) {
			results.addAll(this.store.enqueue(jobs.subList(from, Math.min(from + BATCH, jobs.size()))));
		}
		return results;
	}

	/** A run-at may have passed by the database's clock, which is not asked again. */
	private static Set<String> queuesToWake(List<NewJob> jobs, List<EnqueueResult> results) {
		Set<String> queues = new LinkedHashSet<>();
		for (int i = 0; i < jobs.size(); i++) {
			JobRequest request = jobs.get(i).request();
			if (results.get(i).created() && request.delay().compareTo(SHORTEST_DELAY) < 0) {
				queues.add(request.queue());
			}
		}
		return queues;
	}

}
