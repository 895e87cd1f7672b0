package io.rowqueue.engine.admin;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import io.rowqueue.admin.FlowAdmin;
import io.rowqueue.admin.FlowJobView;
import io.rowqueue.admin.FlowView;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.operation.JobChanges;
import io.rowqueue.engine.wakeup.WakeUps;
import io.rowqueue.flow.BatchProgress;
import org.springframework.util.Assert;

/** The {@link FlowAdmin} over the store. */
public final class DefaultFlowAdmin implements FlowAdmin {

	private static final int BATCH = 1000;

	private final FlowStore store;

	private final JobChanges jobs;

	/**
	 * Creates the administration.
	 * @param database runs each statement in a separate transaction
	 * @param wakeUps is notified of jobs that can be claimed again
	 */
	public DefaultFlowAdmin(QueueDatabase database, WakeUps wakeUps) {
		this.store = new FlowStore(database);
		this.jobs = new DefaultJobChanges(database, wakeUps);
	}

	@Override
	public Optional<FlowView> find(long id) {
		return this.store.find(id);
	}

	@Override
	public List<FlowView> list(long before, int limit) {
		return this.store.list(before, checked(limit));
	}

	@Override
	public List<FlowView> unfinished(int limit) {
		return this.store.unfinished(checked(limit));
	}

	@Override
	public List<BatchProgress> unfinishedBatches(int limit) {
		return this.store.unfinishedBatches(checked(limit));
	}

	@Override
	public List<BatchProgress> batches(long before, int limit) {
		return this.store.batches(before, checked(limit));
	}

	private static int checked(int limit) {
		Assert.isTrue(limit >= 1 && limit <= MAX_RESULTS,
				() -> "limit must be from 1 to " + MAX_RESULTS + ", not " + limit);
		return limit;
	}

	@Override
	public List<FlowJobView> jobs(long id) {
		return this.store.jobs(id, MAX_RESULTS);
	}

	@Override
	public int cancel(long id) {
		List<Long> found = this.store.toCancel(id);
		Set<Long> all = new HashSet<>(found);
		int cancelled = cancel(found);
		while (!found.isEmpty()) {
			// running jobs may have added some until they were asked to stop
			this.store.awaitAdditions(id);
			found = this.store.toCancel(id).stream().filter(all::add).toList();
			cancelled += cancel(found);
		}
		return cancelled;
	}

	private int cancel(List<Long> jobIds) {
		return jobIds.stream().mapToInt((jobId) -> this.jobs.cancel(List.of(jobId)).size()).sum();
	}

	@Override
	public int retry(long id) {
		return this.store.toRetry(id).stream().mapToInt((jobId) -> this.jobs.retry(List.of(jobId), (rejected) -> {
		}).size()).sum();
	}

	@Override
	public int cancelBatch(long id) {
		int cancelled = 0;
		List<Long> some = this.store.toCancelOfBatch(id, 0, BATCH);
		while (!some.isEmpty()) {
			long last = some.get(some.size() - 1);
			Set<Long> together = (some.size() > 1) ? this.jobs.cancel(some) : Set.of();
			cancelled += together.size() + cancel(some.stream().filter((jobId) -> !together.contains(jobId)).toList());
			some = this.store.toCancelOfBatch(id, last, BATCH);
		}
		return cancelled;
	}

}
