package io.pgqueue.flow;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

import org.springframework.util.Assert;

/**
 * The result of enqueueing a flow.
 *
 * @param id the id of the flow
 * @param jobs the ids of its jobs, by the names of their steps
 * @since 0.1.0
 */
public record FlowResult(long id, Map<String, Long> jobs) {

	/** Copies the map. */
	public FlowResult {
		jobs = Collections.unmodifiableMap(new LinkedHashMap<>(jobs));
	}

	/**
	 * Returns the id of a job.
	 * @param step the name of its step
	 * @return the id
	 * @throws IllegalArgumentException if there is no such step
	 */
	public long jobId(String step) {
		Long jobId = this.jobs.get(step);
		Assert.isTrue(jobId != null, () -> "no step '" + step + "', only " + this.jobs.keySet());
		return Objects.requireNonNull(jobId);
	}

}
