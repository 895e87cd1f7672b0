package io.rowqueue.admin;

import java.util.List;
import java.util.Optional;

import io.rowqueue.flow.BatchProgress;

/**
 * The administration of flows and batches. All calls apply to the whole cluster. Call
 * them outside of transactions: a call that changes several jobs commits them one after
 * the other, and reads what is committed, so that it does not find a flow or batch that
 * an open transaction of the caller has enqueued.
 *
 * @since 0.1.0
 */
public interface FlowAdmin {

	/** The maximum number of flows or jobs that one call returns. */
	int MAX_RESULTS = 1000;

	/**
	 * Finds a flow.
	 * @param id the id of the flow
	 * @return the flow; empty if it does not exist or is no longer retained
	 */
	Optional<FlowView> find(long id);

	/**
	 * Lists flows.
	 * @param before returns only flows with a smaller id; {@link Long#MAX_VALUE} for the
	 * first page
	 * @param limit the maximum number of flows, from 1 to {@value #MAX_RESULTS}
	 * @return the flows, the latest first
	 */
	List<FlowView> list(long before, int limit);

	/**
	 * Lists the flows that have not finished or have failed.
	 * @param limit the maximum number of flows, from 1 to {@value #MAX_RESULTS}
	 * @return the failed flows first, each group starting with the latest
	 */
	List<FlowView> unfinished(int limit);

	/**
	 * Lists the batches that have not finished.
	 * @param limit the maximum number of batches, from 1 to {@value #MAX_RESULTS}
	 * @return the batches, the oldest first
	 */
	List<BatchProgress> unfinishedBatches(int limit);

	/**
	 * Lists batches, also those that have finished.
	 * @param before returns only batches with a smaller id; {@link Long#MAX_VALUE} for
	 * the first page
	 * @param limit the maximum number of batches, from 1 to {@value #MAX_RESULTS}
	 * @return the batches, the latest first
	 */
	List<BatchProgress> batches(long before, int limit);

	/**
	 * Lists the jobs of a flow.
	 * @param id the id of the flow
	 * @return the first {@value #MAX_RESULTS} jobs in the order of their ids; empty if
	 * the flow does not exist
	 */
	List<FlowJobView> jobs(long id);

	/**
	 * Cancels all jobs of a flow that have not succeeded, and asks running handlers to
	 * stop. These can add no more jobs to the flow; what they have added in a transaction
	 * that is still open after five seconds is not cancelled.
	 * @param id the id of the flow
	 * @return how many jobs were cancelled or asked to stop; 0 if the flow has finished
	 * or does not exist
	 */
	int cancel(long id);

	/**
	 * Retries the failed jobs of a flow. Jobs that failed because of a failed predecessor
	 * wait for it again. Jobs that have succeeded are not repeated.
	 * @param id the id of the flow
	 * @return how many jobs are queued again; 0 if no job has failed or the flow does not
	 * exist
	 */
	int retry(long id);

	/**
	 * Cancels the waiting jobs of a batch, and asks running handlers to stop. Jobs that
	 * are added later are not cancelled.
	 * @param id the id of the batch
	 * @return how many jobs were cancelled or asked to stop
	 */
	int cancelBatch(long id);

}
