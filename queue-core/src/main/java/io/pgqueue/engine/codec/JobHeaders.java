package io.pgqueue.engine.codec;

import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** What is kept on a job besides its payload: names and texts, as a JSON object. */
public final class JobHeaders {

	/** Names the window of a job. */
	public static final String WINDOW = "window";

	private static final JsonMapper MAPPER = JsonMapper.builder().build();

	private static final TypeReference<Map<String, String>> TYPE = new TypeReference<>() {
	};

	private JobHeaders() {
	}

	/** Returns JSON; {@code null} if there are no headers. */
	public static @Nullable String write(Map<String, String> headers) {
		return headers.isEmpty() ? null : MAPPER.writeValueAsString(headers);
	}

	/**
	 * Returns the headers that have a text; none, if what is there are no names and
	 * texts.
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
			headers.values().removeIf(Objects::isNull); // others than Java can write them
			return headers;
		}
		catch (JacksonException ex) {
			return Map.of(); // not worth an attempt
		}
	}

}
