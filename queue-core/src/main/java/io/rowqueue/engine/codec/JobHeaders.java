package io.rowqueue.engine.codec;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** The headers of a job: names and texts, stored as a JSON object. */
public final class JobHeaders {

	private static final JsonMapper MAPPER = JsonMapper.builder().build();

	private static final TypeReference<Map<String, String>> TYPE = new TypeReference<>() {
	};

	private JobHeaders() {
	}

	/**
	 * Returns the headers as JSON, or {@code null} if there are none. Interceptors may
	 * pass on any text: PostgreSQL would store the character NUL, but could not read the
	 * headers any more.
	 */
	public static @Nullable String write(Map<String, String> headers) {
		if (headers.isEmpty()) {
			return null;
		}
		String json = MAPPER.writeValueAsString(headers);
		return json.contains("\\u0000") ? MAPPER.writeValueAsString(withoutNul(headers)) : json;
	}

	private static Map<String, @Nullable String> withoutNul(Map<String, String> headers) {
		Map<String, @Nullable String> storable = new LinkedHashMap<>();
		headers.forEach((name, value) -> storable.put(withoutNul(name), (value != null) ? withoutNul(value) : null));
		return storable;
	}

	private static String withoutNul(String text) {
		return text.replace('\0', '\uFFFD');
	}

	/**
	 * Returns the headers whose value is a text, or no headers if the JSON is not an
	 * object of names and texts.
	 */
	public static Map<String, String> read(@Nullable String json) {
		if (json == null) {
			return Map.of();
		}
		try {
			Map<String, String> headers = MAPPER.readValue(json, TYPE);
			if (headers == null) {
				return Map.of();
			}
			// jobs that were enqueued by SQL may have nulls
			headers.values().removeIf(Objects::isNull);
			return headers;
		}
		catch (JacksonException ex) {
			return Map.of(); // headers do not justify a failed attempt
		}
	}

}
