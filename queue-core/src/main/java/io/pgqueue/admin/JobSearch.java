package io.pgqueue.admin;

import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * Finds jobs, live and finished: for lists, for counts, and one with all that is known of
 * it. It changes nothing, and no call costs more than its bound, whatever the number of
 * jobs: a page is read from the index of its state, and what no index leads to is looked
 * at piece by piece, as far as the bounds go. The page then says how far that was, and
 * the search can go on from there.
 *
 * @since 0.1.0
 */
public interface JobSearch {

	/** The most jobs on a page. */
	int MAX_PAGE = 200;

	/** Where counting stops. */
	int MAX_COUNT = 1000;

	/**
	 * Finds a page of jobs. Failed, finished and blocked jobs come the latest first, as
	 * do jobs of several states; scheduled ones by the time when they are due; queued
	 * ones by priority and then in the order in which workers claim them; leased ones the
	 * longest running first.
	 * @param filter which jobs
	 * @param cursor {@link JobPage#next} of the page before, or {@code null} for the
	 * first page
	 * @param size how many jobs, from 1 to {@value #MAX_PAGE}
	 * @return the page
	 * @throws IllegalArgumentException if the cursor is of another filter
	 */
	JobPage find(JobFilter filter, @Nullable String cursor, int size);

	/**
	 * Counts jobs.
	 * @param filter which jobs
	 * @return at most {@value #MAX_COUNT}
	 */
	BoundedCount count(JobFilter filter);

	/**
	 * Reads one job with all that is known of it.
	 * @param id the job
	 * @return empty if there is no such job, or it is no longer kept
	 */
	Optional<JobDetails> details(long id);

}
