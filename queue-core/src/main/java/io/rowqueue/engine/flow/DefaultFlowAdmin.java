package io.rowqueue.engine.flow;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import io.rowqueue.control.CancelResult;
import io.rowqueue.control.JobControl;
import io.rowqueue.engine.flow.FlowStore;
import io.rowqueue.flow.BatchProgress;
import io.rowqueue.flow.FlowAdmin;
import io.rowqueue.flow.FlowJobView;
import io.rowqueue.flow.FlowView;
import org.springframework.util.Assert;

/** The {@link FlowAdmin} over the store. */
public final class DefaultFlowAdmin implements FlowAdmin {

	private static final int BATCH = 1000;

	private final FlowStore store;

	private final JobControl jobs;

	/**
	 * Creates the administration.
	 * @param store reads flows and batches
	 * @param jobs changes their jobs
	 */
	public DefaultFlowAdmin(FlowStore store, JobControl jobs) {
		this.store = store;
		this.jobs = jobs;
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
		int cancelled = 0;
		for (long jobId : jobIds) {
			cancelled += (this.jobs.cancel(jobId) != CancelResult.NOT_FOUND) ? 1 : 0;
		}
		return cancelled;
	}

	@Override
	public int retry(long id) {
		int retried = 0;
		for (long jobId : this.store.toRetry(id)) {
			retried += this.jobs.retry(jobId).runsAgain() ? 1 : 0;
		}
		return retried;
	}

	@Override
	public int cancelBatch(long id) {
		int cancelled = 0;
		int some;
		do {
			some = this.store.cancelBatch(id, BATCH);
			cancelled += some;
		}
		while (some > 0);
		for (long jobId : this.store.heldOfBatch(id)) {
			cancelled += (this.jobs.cancel(jobId) != CancelResult.NOT_FOUND) ? 1 : 0;
		}
		return cancelled;
	}

}
