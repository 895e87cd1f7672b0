package io.pgqueue.flow;

import java.util.List;
import java.util.Optional;

/**
 * What people do to flows and batches. Every call holds for the whole cluster; one that
 * changes several jobs commits them one after the other.
 *
 * @since 0.1.0
 */
public interface FlowAdmin {

	/** The most flows or jobs that are read at once. */
	int MAX_RESULTS = 1000;

	/**
	 * Finds a flow.
	 * @param id the flow
	 * @return how it is getting on; empty if there is none, or it is no longer kept
	 */
	Optional<FlowView> find(long id);

	/**
	 * The latest flows.
	 * @param before only those with a smaller id; {@link Long#MAX_VALUE}: all
	 * @param limit at most so many, from 1 to {@value #MAX_RESULTS}
	 * @return the latest first
	 */
	List<FlowView> list(long before, int limit);

	/**
	 * The flows that run, or have failed and wait for somebody.
	 * @param limit at most so many, from 1 to {@value #MAX_RESULTS}
	 * @return those that have failed first, the latest first
	 */
	List<FlowView> unfinished(int limit);

	/**
	 * The batches that are not over.
	 * @param limit at most so many, from 1 to {@value #MAX_RESULTS}
	 * @return the oldest first
	 */
	List<BatchProgress> unfinishedBatches(int limit);

	/**
	 * The jobs of a flow.
	 * @param id the flow
	 * @return the first {@value #MAX_RESULTS}, each after those that it runs after; empty
	 * if there is no such flow
	 */
	List<FlowJobView> jobs(long id);

	/**
	 * Cancels all jobs of a flow that have not succeeded; those that run are told to
	 * stop.
	 * @param id the flow
	 * @return how many jobs were cancelled or told; 0 if there is no such flow, or it is
	 * over
	 */
	int cancel(long id);

	/**
	 * Retries the jobs of a flow that have failed by themselves; those that failed with
	 * them wait for them again. What has succeeded is not repeated.
	 * @param id the flow
	 * @return how many jobs are queued again; 0 if there is no such flow, or none has
	 * failed
	 */
	int retry(long id);

	/**
	 * Cancels the jobs of a batch that wait; those that run are told to stop. Jobs that
	 * are added later are not cancelled.
	 * @param id the batch
	 * @return how many jobs were cancelled or told
	 */
	int cancelBatch(long id);

}
