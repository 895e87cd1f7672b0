package io.rowqueue.admin;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * An overview of the whole queue: the number of jobs, the workers, the longest waiting
 * jobs, and the latest failures. It changes nothing. Each call queries the database, at
 * bounded cost.
 *
 * @since 0.1.0
 */
public interface QueueOverview {

	/** The maximum number of workers, lanes, jobs or failures that a call returns. */
	int MAX_RESULTS = 200;

	/** The maximum number of workers that are counted. */
	int MAX_WORKERS = 2000;

	/**
	 * Counts the jobs that have not finished or have failed.
	 * @return the counts by queue and state, without zeros; if there are very many
	 * queues, those that are not configured are summed as {@code others}
	 */
	List<JobCount> jobs();

	/**
	 * Lists the registered workers.
	 * @return at most {@value #MAX_RESULTS} workers, the live ones first
	 */
	default List<WorkerView> workers() {
		return workers(MAX_RESULTS);
	}

	/**
	 * Lists the registered workers, to count them and their slots.
	 * @param limit the maximum number of workers, at most {@value #MAX_WORKERS}
	 * @return the workers, the live ones first
	 */
	List<WorkerView> workers(int limit);

	/**
	 * Lists the lanes with queued jobs.
	 * @return at most {@value #MAX_RESULTS} lanes, the longest waiting first
	 */
	default List<LaneView> lanes() {
		return lanes(null, null);
	}

	/**
	 * Lists the lanes of a queue or of a type with queued jobs.
	 * @param queue the queue; {@code null}: all queues
	 * @param type the type; {@code null}: all types
	 * @return at most {@value #MAX_RESULTS} lanes, the longest waiting first
	 */
	List<LaneView> lanes(@Nullable String queue, @Nullable String type);

	/**
	 * Lists the running jobs.
	 * @param limit the maximum number of jobs, at most {@value #MAX_RESULTS}
	 * @return the jobs, the longest running first
	 */
	List<RunningView> running(int limit);

	/**
	 * Lists the latest failed attempts.
	 * @param limit the maximum number of attempts, at most {@value #MAX_RESULTS}
	 * @return the attempts, the latest first
	 */
	List<FailureView> failures(int limit);

	/**
	 * Returns the version of this library.
	 * @return a version such as {@code 1.0.0}
	 */
	String libraryVersion();

	/**
	 * Returns the installed version of the schema.
	 * @return at least 1
	 */
	int installedSchemaVersion();

	/**
	 * Returns the version of the schema that this library requires.
	 * @return at least 1
	 */
	int librarySchemaVersion();

}
