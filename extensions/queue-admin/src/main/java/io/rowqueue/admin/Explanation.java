package io.rowqueue.admin;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Explains why a job is in its current state.
 *
 * @param jobId the id of the job
 * @param verdict the reason
 * @param summary the reason in one or two sentences, with the remedy
 * @param facts the facts that led to the verdict: texts, numbers, durations, times by the
 * database's clock, and lists of these
 * @param then what will keep the job waiting afterwards, in its current situation
 * @since 0.1.0
 */
public record Explanation(long jobId, Verdict verdict, String summary, Map<String, Object> facts, List<Verdict> then) {

	/** Copies the facts and the list. */
	public Explanation {
		facts = Collections.unmodifiableMap(new LinkedHashMap<>(facts));
		then = List.copyOf(then);
	}

}
