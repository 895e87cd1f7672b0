package io.rowqueue.engine.codec;

import java.util.List;

import tools.jackson.databind.json.JsonMapper;

/** Lines of the log of a job, stored as a JSON array. */
public final class LogLines {

	private static final JsonMapper MAPPER = JsonMapper.builder().build();

	private LogLines() {
	}

	/** Returns the lines as JSON. */
	public static String write(List<Line> lines) {
		return MAPPER.writeValueAsString(lines);
	}

	/**
	 * A line.
	 *
	 * @param at when it was logged, such as {@code 2026-10-25T01:30:00Z}
	 * @param level the name of the level
	 * @param text the text
	 */
	public record Line(String at, String level, String text) {

	}

}
