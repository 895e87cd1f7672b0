package io.pgqueue.admin;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Some of the jobs that a filter selects.
 *
 * @param jobs the jobs; a search can find none and still have a next page
 * @param next where the next page begins, an opaque text; {@code null}: there is none
 * @param searched how far the search came that found them
 * @since 0.1.0
 */
public record JobPage(List<JobView> jobs, @Nullable String next, SearchProgress searched) {

	/** Copies the list. */
	public JobPage {
		jobs = List.copyOf(jobs);
	}

}
