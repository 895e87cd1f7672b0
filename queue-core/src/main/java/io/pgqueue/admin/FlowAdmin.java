package io.pgqueue.admin;

import java.util.List;
import java.util.Optional;

import io.pgqueue.BatchProgress;
import io.pgqueue.store.FlowStore;
import io.pgqueue.store.FlowView;
import io.pgqueue.store.StepView;
import org.springframework.util.Assert;

/**
 * What people do to flows and batches. Every call holds for the whole cluster; one that
 * changes several jobs commits them one after the other.
 *
 * @since 0.1.0
 */
public final class FlowAdmin {

	/** The most flows or steps that are read at once. */
	public static final int MOST = 1000;

	private static final int BATCH = 1000;

	private final FlowStore store;

	private final JobAdmin jobs;

	/**
	 * Creates the administration.
	 * @param store reads flows and batches
	 * @param jobs changes their jobs
	 */
	public FlowAdmin(FlowStore store, JobAdmin jobs) {
		this.store = store;
		this.jobs = jobs;
	}

	/**
	 * Finds a flow.
	 * @param id the flow
	 * @return how it is getting on; empty if there is none, or it is no longer kept
	 */
	public Optional<FlowView> find(long id) {
		return this.store.find(id);
	}

	/**
	 * The latest flows.
	 * @param before only those with a smaller id; {@link Long#MAX_VALUE}: all
	 * @param limit at most so many, from 1 to {@value #MOST}
	 * @return the latest first
	 */
	public List<FlowView> list(long before, int limit) {
		Assert.isTrue(limit >= 1 && limit <= MOST, () -> "limit must be from 1 to " + MOST + ", not " + limit);
		return this.store.list(before, limit);
	}

	/**
	 * The flows that run, or have failed and wait for somebody.
	 * @param limit at most so many, from 1 to {@value #MOST}
	 * @return those that have failed first, the latest first
	 */
	public List<FlowView> unfinished(int limit) {
		Assert.isTrue(limit >= 1 && limit <= MOST, () -> "limit must be from 1 to " + MOST + ", not " + limit);
		return this.store.unfinished(limit);
	}

	/**
	 * The batches that are not over.
	 * @param limit at most so many, from 1 to {@value #MOST}
	 * @return the oldest first
	 */
	public List<BatchProgress> unfinishedBatches(int limit) {
		Assert.isTrue(limit >= 1 && limit <= MOST, () -> "limit must be from 1 to " + MOST + ", not " + limit);
		return this.store.unfinishedBatches(limit);
	}

	/**
	 * The jobs of a flow.
	 * @param id the flow
	 * @return the first {@value #MOST}, each after those that it runs after; empty if
	 * there is no such flow
	 */
	public List<StepView> steps(long id) {
		return this.store.steps(id, MOST);
	}

	/**
	 * Cancels all jobs of a flow that have not succeeded; those that run are told to
	 * stop.
	 * @param id the flow
	 * @return how many jobs were cancelled or told; 0 if there is no such flow, or it is
	 * over
	 */
	public int cancel(long id) {
		int cancelled = 0;
		for (long jobId : this.store.toCancel(id)) {
			cancelled += (this.jobs.cancel(jobId) != CancelResult.NOT_FOUND) ? 1 : 0;
		}
		return cancelled;
	}

	/**
	 * Retries the jobs of a flow that have failed by themselves; those that failed with
	 * them wait for them again. What has succeeded is not repeated.
	 * @param id the flow
	 * @return how many jobs are queued again; 0 if there is no such flow, or none has
	 * failed
	 */
	public int retry(long id) {
		int retried = 0;
		for (long jobId : this.store.toRetry(id)) {
			retried += this.jobs.retry(jobId).runsAgain() ? 1 : 0;
		}
		return retried;
	}

	/**
	 * Cancels the jobs of a batch that wait; those that run are told to stop. Jobs that
	 * are added later are not cancelled.
	 * @param id the batch
	 * @return how many jobs were cancelled or told
	 */
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
