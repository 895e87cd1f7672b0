package io.rowqueue.autoconfigure.endpoint;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.rowqueue.admin.filter.JobFilter;
import org.jspecify.annotations.Nullable;

/**
 * A request for a list of jobs.
 *
 * @param state the state, or {@code null}
 * @param queue the queue, or {@code null}
 * @param type the type, or {@code null}
 * @param filter a filter as the query of a URL, instead of these, or {@code null}
 * @param cursor where the page begins, or {@code null} for the first page
 */
record JobListRequest(@Nullable String state, @Nullable String queue, @Nullable String type, @Nullable String filter,
		@Nullable String cursor) {

	/**
	 * Returns the filter.
	 * @param show whether the caller may see payloads
	 * @throws IllegalArgumentException if it makes no sense, or the caller may not use it
	 */
	JobFilter jobs(boolean show) {
		Map<String, List<String>> words = new LinkedHashMap<>();
		putIfPresent(words, "state", this.state);
		putIfPresent(words, "queue", this.queue);
		putIfPresent(words, "type", this.type);
		if (this.filter == null) {
			return JobFilter.of(words);
		}
		if (!words.isEmpty()) {
			throw new IllegalArgumentException("a filter goes without the parameters state, queue and type");
		}
		return filter(this.filter, show);
	}

	/** Those who may not see payloads could find out what they are by searching. */
	private static JobFilter filter(String query, boolean show) {
		JobFilter jobs = JobFilter.ofQuery(query);
		if (jobs.selectsByContent() && !show) {
			throw new IllegalArgumentException(
					"a filter by q, error, key, limitKey, tag, header or payload is for callers who are shown payloads");
		}
		return jobs;
	}

	private static void putIfPresent(Map<String, List<String>> words, String word, @Nullable String value) {
		if (value != null) {
			words.put(word, List.of(value));
		}
	}

}
