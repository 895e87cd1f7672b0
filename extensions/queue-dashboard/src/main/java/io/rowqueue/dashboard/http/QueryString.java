package io.rowqueue.dashboard.http;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/** Reads the query of a URL, the same in all hosts. */
public final class QueryString {

	private QueryString() {
	}

	/**
	 * Reads a query.
	 * @param query as it was sent, or {@code null}
	 * @return the values by name, in their order
	 */
	public static Map<String, List<String>> parse(@Nullable String query) {
		Map<String, List<String>> values = new LinkedHashMap<>();
		if (query == null || query.isEmpty()) {
			return values;
		}
		for (String pair : query.split("&")) {
			int equals = pair.indexOf('=');
			String name = decode((equals < 0) ? pair : pair.substring(0, equals));
			values.computeIfAbsent(name, (key) -> new ArrayList<>())
				.add((equals < 0) ? "" : decode(pair.substring(equals + 1)));
		}
		return values;
	}

	/** What is not encoded properly stands for itself, and is refused as a name. */
	private static String decode(String text) {
		try {
			return URLDecoder.decode(text, StandardCharsets.UTF_8);
		}
		catch (IllegalArgumentException ex) {
			return text;
		}
	}

}
