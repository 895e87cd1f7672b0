package io.pgqueue.admin;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A page of the jobs that have not finished or have failed.
 *
 * @param jobs the jobs, the latest first; may be empty although there are further pages
 * @param before the upper bound of the next page, whose jobs have smaller ids, or
 * {@code null} if there is no further page
 */
public record JobPage(List<JobView> jobs, @Nullable Long before) {
}
