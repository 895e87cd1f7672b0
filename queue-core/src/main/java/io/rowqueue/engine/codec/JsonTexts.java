package io.rowqueue.engine.codec;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Texts as JSON, such as the headers of a job. */
public final class JsonTexts {

	private static final JsonMapper MAPPER = JsonMapper.builder().build();

	private static final TypeReference<Map<String, String>> TYPE = new TypeReference<>() {
	};

	private JsonTexts() {
	}

	/**
	 * Returns texts as JSON, or {@code null} if there are none. Interceptors may pass on
	 * any text: PostgreSQL would store the character NUL, but could not read the object
	 * any more.
	 */
	public static @Nullable String write(Map<String, String> texts) {
		if (texts.isEmpty()) {
			return null;
		}
		String json = MAPPER.writeValueAsString(texts);
		return json.contains("\\u0000") ? MAPPER.writeValueAsString(withoutNul(texts)) : json;
	}

	/** Returns records as a JSON array. */
	public static String write(List<? extends Record> records) {
		return MAPPER.writeValueAsString(records);
	}

	/** Returns whether a text is JSON. */
	public static boolean isJson(String text) {
		try {
			MAPPER.readTree(text);
			return true;
		}
		catch (JacksonException ex) {
			return false;
		}
	}

	private static Map<String, @Nullable String> withoutNul(Map<String, String> texts) {
		Map<String, @Nullable String> storable = new LinkedHashMap<>();
		texts.forEach((name, value) -> storable.put(withoutNul(name), (value != null) ? withoutNul(value) : null));
		return storable;
	}

	private static String withoutNul(String text) {
		return text.replace('\0', '\uFFFD');
	}

	/**
	 * Returns those values that are texts, or none if the JSON is not an object of names
	 * and texts.
	 */
	public static Map<String, String> read(@Nullable String json) {
		if (json == null) {
			return Map.of();
		}
		try {
			Map<String, String> texts = MAPPER.readValue(json, TYPE);
			if (texts == null) {
				return Map.of();
			}
			// jobs that were enqueued by SQL may have nulls
			texts.values().removeIf(Objects::isNull);
			return texts;
		}
		catch (JacksonException ex) {
			return Map.of(); // headers do not justify a failed attempt
		}
	}

}
