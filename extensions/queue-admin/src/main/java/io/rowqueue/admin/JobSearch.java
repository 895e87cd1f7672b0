package io.rowqueue.admin;

import java.util.Optional;

import io.rowqueue.admin.filter.JobFilter;
import org.jspecify.annotations.Nullable;

/**
 * Finds live and finished jobs: pages of jobs, counts, and all data of one job. It
 * changes nothing, and the cost of each call is bounded, whatever the number of jobs. A
 * page is read from the index of its state; if no index matches the filter, jobs are
 * examined in chunks until a bound is reached. The page then contains how far the search
 * came, and the cursor continues it.
 *
 * @since 0.1.0
 */
public interface JobSearch {

	/** The maximum number of jobs on a page. */
	int MAX_PAGE = 200;

	/** The number at which counting stops. */
	int MAX_COUNT = 1000;

	/**
	 * Finds a page of jobs. The order depends on the state: failed, finished and blocked
	 * jobs the latest first, and so are jobs of several states; scheduled jobs by their
	 * due time; queued jobs by priority, and then in the order in which workers claim
	 * them; leased jobs the longest running first; jobs of the fingerprint of an error by
	 * their failure, the latest first.
	 * @param filter which jobs
	 * @param cursor {@link JobPage#next} of the previous page, or {@code null} for the
	 * first page
	 * @param size the maximum number of jobs, from 1 to {@value #MAX_PAGE}
	 * @return the page
	 * @throws IllegalArgumentException if the cursor belongs to another filter
	 */
	JobPage find(JobFilter filter, @Nullable String cursor, int size);

	/**
	 * Counts jobs.
	 * @param filter which jobs
	 * @return the count, at most {@value #MAX_COUNT}
	 */
	BoundedCount count(JobFilter filter);

	/**
	 * Reads all data of one job.
	 * @param id the id of the job
	 * @return the job, or empty if it does not exist or is no longer retained
	 */
	Optional<JobDetails> details(long id);

}
