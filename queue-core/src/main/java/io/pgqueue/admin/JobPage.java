package io.pgqueue.admin;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Some of the jobs that are not over, or have failed.
 *
 * @param jobs the latest first; maybe none although there are more pages
 * @param before where the next page begins: at jobs with a smaller id; {@code null}:
 * there is no further page
 */
public record JobPage(List<JobView> jobs, @Nullable Long before) {
}
