package io.rowqueue.engine.search;

import java.time.Instant;
import java.util.List;

import io.rowqueue.admin.JobView;
import org.jspecify.annotations.Nullable;

/** Where jobs of a filter are, in an order in which they can be read piece by piece. */
interface JobSource {

	/** Names it in cursors. */
	String name();

	/** Where the first page begins. */
	List<String> start();

	/** How many jobs may be looked at for a page. */
	long budget();

	/**
	 * Looks at the next jobs.
	 * @param after the keys of the last job that was looked at
	 * @param round how often the chunks of the same page have become longer, each time at
	 * most four times as long
	 * @param hits how many jobs that the filter selects are wanted at most
	 */
	Chunk read(List<String> after, int round, int hits);

	/** The time by which the jobs are sorted, if they are. */
	@Nullable Instant time(JobView job);

	/** The jobs of a page in the order in which they are shown. */
	default List<JobView> inOrder(List<JobView> jobs) {
		return jobs;
	}

	/**
	 * What was found in a piece.
	 *
	 * @param hits the jobs that the filter selects
	 * @param looked how many jobs were looked at
	 * @param end the keys of the last of them; {@code null}: there are no more
	 * @param time the time of the last of them
	 */
	record Chunk(List<Hit> hits, long looked, @Nullable List<String> end, @Nullable Instant time) {

		static final Chunk NOTHING = new Chunk(List.of(), 0, null, null);

	}

	/**
	 * A job that the filter selects.
	 *
	 * @param job the job
	 * @param keys its place
	 */
	record Hit(JobView job, List<String> keys) {

	}

}
