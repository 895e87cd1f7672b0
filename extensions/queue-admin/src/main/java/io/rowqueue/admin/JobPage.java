package io.rowqueue.admin;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A page of the jobs that a filter selects.
 *
 * @param jobs the jobs; may be empty although there is a next page
 * @param next the cursor of the next page, an opaque text, or {@code null} if there is no
 * further page
 * @param searched how many jobs the search examined to find them
 * @since 0.1.0
 */
public record JobPage(List<JobView> jobs, @Nullable String next, SearchProgress searched) {

	/** Copies the list. */
	public JobPage {
		jobs = List.copyOf(jobs);
	}

}
