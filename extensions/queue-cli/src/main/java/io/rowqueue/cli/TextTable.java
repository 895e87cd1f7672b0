package io.rowqueue.cli;

import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.IntStream;

import io.rowqueue.engine.support.LogText;
import io.rowqueue.engine.support.Times;
import org.jspecify.annotations.Nullable;

/** A table whose columns are as wide as their texts. Times are in UTC. */
final class TextTable {

	private static final int MAX_WIDTH = 100;

	private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss'Z'", Locale.ROOT)
		.withZone(ZoneOffset.UTC);

	private final List<List<String>> rows = new ArrayList<>();

	TextTable(String... headings) {
		this.rows.add(List.of(headings));
	}

	TextTable row(@Nullable Object... values) {
		List<String> row = new ArrayList<>();
		for (Object value : values) {
			row.add(text(value));
		}
		this.rows.add(row);
		return this;
	}

	void print(PrintWriter out) {
		lines().forEach(out::println);
	}

	/** Returns the number of its lines. */
	int height() {
		return this.rows.size();
	}

	/**
	 * The head and at most so many rows as fit with it, each in one line of the screen.
	 */
	List<String> lines(int height, int width) {
		List<String> lines = lines();
		List<String> shown = new ArrayList<>(lines.subList(0, Math.min(lines.size(), Math.max(height, 2))));
		if (shown.size() < lines.size()) {
			shown.set(shown.size() - 1, "… and " + (lines.size() - shown.size() + 1) + " more");
		}
		shown.replaceAll((line) -> (line.length() <= width) ? line : line.substring(0, width - 1) + "…");
		return shown;
	}

	private List<String> lines() {
		List<String> lines = new ArrayList<>();
		int[] widths = IntStream.range(0, this.rows.get(0).size())
			.map((column) -> this.rows.stream().mapToInt((row) -> row.get(column).length()).max().orElse(0))
			.toArray();
		for (List<String> row : this.rows) {
			StringBuilder line = new StringBuilder();
			for (int column = 0; column < widths.length; column++) {
				line.append(row.get(column)).append(" ".repeat(widths[column] - row.get(column).length() + 2));
			}
			lines.add(line.toString().stripTrailing());
		}
		return lines;
	}

	/** The first line, which cannot control the terminal. */
	private static String text(@Nullable Object value) {
		String text = (value instanceof Instant instant) ? TIME.format(instant)
				: (value instanceof Duration duration) ? Times.readable(duration) : Objects.toString(value, "");
		String line = LogText.oneLine(text.lines().findFirst().orElse(""));
		return (line.length() <= MAX_WIDTH) ? line : line.substring(0, MAX_WIDTH - 1) + "…";
	}

}
