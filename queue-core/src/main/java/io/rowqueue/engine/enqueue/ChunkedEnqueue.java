package io.rowqueue.engine.enqueue;

import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

import io.rowqueue.DuplicatePolicy;
import io.rowqueue.EnqueueResult.Outcome;
import io.rowqueue.EnqueueResult;
import io.rowqueue.JobRequest;
import io.rowqueue.engine.job.EnqueueStore;
import io.rowqueue.engine.job.NewJob;
import io.rowqueue.engine.wakeup.Arrivals;

/**
 * Stores any number of jobs, each chunk with one statement, and notes the arrivals that
 * workers are notified of after the commit.
 */
final class ChunkedEnqueue {

	/** The resolution of PostgreSQL's times: a shorter delay is none. */
	private static final Duration MIN_DELAY = Duration.ofNanos(1000);

	private final Function<List<NewJob>, List<EnqueueResult>> store;

	private final Carriage carried;

	private final EnqueueHooks hooks;

	/**
	 * Creates an enqueue of jobs.
	 * @param store stores the jobs
	 * @param carried the jobs that a message broker carries
	 * @param hooks notified of stored jobs
	 */
	ChunkedEnqueue(EnqueueStore store, Carriage carried, EnqueueHooks hooks) {
		this(carried.isEmpty() ? store::enqueue : (chunk) -> carried.store(chunk, store::enqueue), carried, hooks);
	}

	private ChunkedEnqueue(Function<List<NewJob>, List<EnqueueResult>> store, Carriage carried, EnqueueHooks hooks) {
		this.store = store;
		this.carried = carried;
		this.hooks = hooks;
	}

	/**
	 * Returns an enqueue of jobs that no broker carries.
	 * @param store stores a chunk, and returns one result for each job
	 * @param hooks notified of stored jobs
	 */
	static ChunkedEnqueue of(Function<List<NewJob>, List<EnqueueResult>> store, EnqueueHooks hooks) {
		return new ChunkedEnqueue(store, Carriage.NONE, hooks);
	}

	/** Returns what the statements that store the jobs write. */
	WriteKind writes(List<NewJob> jobs) {
		if (isOneStatement(jobs)) {
			return WriteKind.ONE_STATEMENT;
		}
		boolean oneCheck = StatementChunks.isOne(jobs) && this.carried.isEmpty();
		return (jobs.size() > 1
				&& jobs.stream().anyMatch((job) -> job.isDecidedByKey() || (job.hasPredecessors() && !oneCheck)))
						? WriteKind.UNTIL_REJECTED : WriteKind.AFTER_CHECKS;
	}

	private boolean isOneStatement(List<NewJob> jobs) {
		return (jobs.size() == 1)
				? jobs.get(0).merge() == null && !jobs.get(0).hasPredecessors() && !jobs.get(0).hasLabels()
				: StatementChunks.isOne(jobs) && jobs.stream().allMatch(NewJob::isPlain)
						&& this.carried.containsAllOrNone(jobs);
	}

	/**
	 * Stores the jobs.
	 * @param results receives the results in order, those of a chunk when it is stored
	 * @param arrivals receives the arrivals
	 * @return the number of jobs
	 */
	long store(Iterator<NewJob> jobs, Consumer<? super EnqueueResult> results, Arrivals.Builder arrivals) {
		long count = 0;
		for (StatementChunks chunks = new StatementChunks(jobs); chunks.hasNext();) {
			List<NewJob> chunk = chunks.next();
			List<EnqueueResult> stored = this.store.apply(chunk);
			for (int i = 0; i < chunk.size(); i++) {
				addArrival(chunk.get(i), stored.get(i).outcome(), arrivals);
			}
			this.hooks.enqueued(chunk, stored);
			stored.forEach(results);
			count += chunk.size();
		}
		return count;
	}

	private void addArrival(NewJob job, Outcome outcome, Arrivals.Builder arrivals) {
		if (this.carried.contains(job)) {
			arrivals.addToOutbox();
		}
		else if (mayBeDue(job.request(), outcome)) {
			addArrival(job.request(), arrivals);
		}
		else {
			arrivals.addDeferred();
		}
	}

	/** Notes the arrival of a job that may be due. */
	static void addArrival(JobRequest request, Arrivals.Builder arrivals) {
		if (request.expiresIn() != null || request.expiresAt() != null) {
			arrivals.addDeferred();
		}
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
