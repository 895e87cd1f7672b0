package io.rowqueue.flow;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

import org.springframework.util.Assert;

/**
 * The result of enqueueing a flow.
 *
 * @param id the id of the flow
 * @param jobs the ids of the jobs, by their names in the flow
 * @since 0.1.0
 */
public record FlowResult(long id, Map<String, Long> jobs) {

	/** Copies the map. */
	public FlowResult {
		jobs = Collections.unmodifiableMap(new LinkedHashMap<>(jobs));
	}

	/**
	 * Returns the id of a job.
	 * @param name its name in the flow
	 * @return the id
	 * @throws IllegalArgumentException if the flow has no such job
	 */
	public long jobId(String name) {
		Long jobId = this.jobs.get(name);
		Assert.isTrue(jobId != null, () -> "no job '" + name + "', only " + this.jobs.keySet());
		return Objects.requireNonNull(jobId);
	}

}
