package io.rowqueue;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

import io.rowqueue.engine.support.HeaderNames;
import io.rowqueue.engine.support.RequestChecks;
import org.springframework.util.Assert;

/** The tags and headers of a request, which people find its job by. */
final class JobLabels {

	/** So that a tag, or the name and value of a header, fits into an index. */
	private static final int MAX_VALUE_LENGTH = 400;

	private static final int MAX_HEADER_NAME_LENGTH = 100;

	private static final int MAX_LABELS = 20;

	private JobLabels() {
	}

	static Set<String> union(Set<String> tags, Collection<String> added) {
		if (added.isEmpty()) {
			return tags;
		}
		Set<String> all = new LinkedHashSet<>(tags);
		all.addAll(added);
		Assert.isTrue(all.size() <= MAX_LABELS, () -> "a job has at most " + MAX_LABELS + " tags");
		return Collections.unmodifiableSet(all);
	}

	static Map<String, String> with(Map<String, String> headers, String name, String value) {
		RequestChecks.name("header", name);
		Assert.isTrue(name.length() <= MAX_HEADER_NAME_LENGTH,
				() -> "the name of a header must have at most " + MAX_HEADER_NAME_LENGTH + " characters");
		Assert.isTrue(!HeaderNames.RESERVED.contains(name),
				() -> "the header '" + name + "' is reserved for the queue");
		RequestChecks.text("header '" + name + "'", value, MAX_VALUE_LENGTH);
		Map<String, String> all = new LinkedHashMap<>(headers);
		all.put(name, value);
		Assert.isTrue(all.size() <= MAX_LABELS, () -> "a job has at most " + MAX_LABELS + " headers of its own");
		return Collections.unmodifiableMap(all);
	}

}
