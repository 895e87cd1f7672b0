package io.rowqueue.engine.explain;

import java.util.LinkedHashMap;
import java.util.Map;

import io.rowqueue.admin.Verdict;
import org.jspecify.annotations.Nullable;

/** A reason for which a job waits, with its facts. */
final class Finding {

	private final Verdict verdict;

	private final String summary;

	private final Map<String, Object> facts = new LinkedHashMap<>();

	Finding(Verdict verdict, String summary) {
		this.verdict = verdict;
		this.summary = summary;
	}

	/** Adds a fact, unless it is null. */
	Finding with(String name, @Nullable Object fact) {
		if (fact != null) {
			this.facts.put(name, fact);
		}
		return this;
	}

	Verdict verdict() {
		return this.verdict;
	}

	String summary() {
		return this.summary;
	}

	Map<String, Object> facts() {
		return this.facts;
	}

}
