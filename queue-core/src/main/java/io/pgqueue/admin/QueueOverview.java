package io.pgqueue.admin;

import java.util.List;

/**
 * What people look at first: how many jobs there are, who runs them, what waits longest,
 * what failed. It changes nothing; each call asks the database and is bounded.
 *
 * @since 0.1.0
 */
public interface QueueOverview {

	/** The most workers, lanes, jobs or failures that a call returns. */
	int MAX_RESULTS = 200;

	/**
	 * How many jobs there are that are not over, or failed.
	 * @return by queue and state; states without jobs are left out, and of very many
	 * queues those that nobody has configured are summed as {@code others}
	 */
	List<JobCount> jobs();

	/**
	 * The registered workers.
	 * @return the living ones first; at most {@value #MAX_RESULTS}
	 */
	List<WorkerView> workers();

	/**
	 * The lanes with queued jobs.
	 * @return the longest waiting first; at most {@value #MAX_RESULTS}
	 */
	List<LaneView> lanes();

	/**
	 * The jobs that run now.
	 * @param most how many, at most {@value #MAX_RESULTS}
	 * @return the longest running first
	 */
	List<RunningView> running(int most);

	/**
	 * The latest failed attempts.
	 * @param most how many, at most {@value #MAX_RESULTS}
	 * @return the latest first
	 */
	List<FailureView> failures(int most);

	/**
	 * The version of this library.
	 * @return such as {@code 1.0.0}
	 */
	String libraryVersion();

	/**
	 * The version of the tables.
	 * @return what is installed
	 */
	int installedSchemaVersion();

	/**
	 * The version of the tables that this library was made for.
	 * @return 1 or more
	 */
	int librarySchemaVersion();

}
