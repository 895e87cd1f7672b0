package io.rowqueue.admin;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.rowqueue.engine.support.Times;

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

	/**
	 * Returns the facts as people read them.
	 * @return the facts by their names, in order
	 */
	public Map<String, String> readableFacts() {
		Map<String, String> readable = new LinkedHashMap<>();
		this.facts.forEach((name, fact) -> readable.put(name, readable(fact)));
		return readable;
	}

	private static String readable(Object fact) {
		if (fact instanceof Collection<?> several) {
			return several.stream().map(Explanation::readable).collect(Collectors.joining("; "));
		}
		if (fact instanceof Map<?, ?> named) {
			return named.entrySet()
				.stream()
				.map((each) -> each.getKey() + " " + readable(each.getValue()))
				.collect(Collectors.joining(", "));
		}
		return (fact instanceof Duration duration) ? Times.readable(duration)
				: (fact instanceof Instant time) ? Times.readable(time) : String.valueOf(fact);
	}

}
