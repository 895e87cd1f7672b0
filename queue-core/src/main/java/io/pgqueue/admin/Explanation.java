package io.pgqueue.admin;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Why a job is where it is.
 *
 * @param jobId the job
 * @param verdict the reason
 * @param summary the same in a sentence or two, and what to do about it
 * @param facts what the verdict follows from: texts, numbers, times of the database,
 * durations, and lists of these
 * @param estimate how long it takes until a worker has it, if there is anything to tell
 * it from; {@code null}: nobody knows
 * @param then what will be in its way afterwards, as things stand
 * @since 0.1.0
 */
public record Explanation(long jobId, Verdict verdict, String summary, Map<String, Object> facts,
		@Nullable Duration estimate, List<Verdict> then) {

	/** Copies what could change. */
	public Explanation {
		facts = Collections.unmodifiableMap(new LinkedHashMap<>(facts));
		then = List.copyOf(then);
	}

}
