package io.rowqueue.dashboard.api.job;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.rowqueue.dashboard.api.Text;
import io.rowqueue.dashboard.api.job.JobAnswers.Job;
import io.rowqueue.dashboard.http.Json;
import org.jspecify.annotations.Nullable;

/** Writes jobs as a file, a line each. */
enum JobExport {

	/** Comma-separated values, as spreadsheets read them. */
	CSV("text/csv;charset=UTF-8") {
		@Override
		String line(Job job) {
			Stream<@Nullable Object> cells = Stream.of(job.id(), job.type(), job.queue(), job.state(), job.priority(),
					job.attempt(), job.maxAttempts(), job.createdAt(), job.dueAt(), job.startedAt(), job.endedAt(),
					(job.worker() != null) ? job.worker().id() : null, text(job.key()), text(job.limitKey()),
					text(job.error()));
			return cells.map(JobExport::cell).collect(Collectors.joining(","));
		}

		@Override
		String head() {
			return "id,type,queue,state,priority,attempt,maxAttempts,createdAt,dueAt,startedAt,endedAt,worker,key,limitKey,"
					+ "error\r\n";
		}
	},

	/** A JSON object a line, as in a list. */
	NDJSON("application/x-ndjson") {
		@Override
		String line(Job job) {
			return JSON.text(job);
		}
	};

	private static final Json JSON = new Json();

	/**
	 * Spreadsheets take a cell that begins with one of these for a formula. Where the
	 * decimal separator is a comma, a cell ends at a semicolon, and others end it at a
	 * tab.
	 */
	private static final Pattern FORMULA = Pattern.compile("(?<![^;\t\r\n\"])(?=[=+\\-@\t\r])");

	private final String contentType;

	JobExport(String contentType) {
		this.contentType = contentType;
	}

	abstract String line(Job job);

	String head() {
		return "";
	}

	/** Returns the lines of jobs. */
	String lines(List<Job> jobs) {
		String end = (this == CSV) ? "\r\n" : "\n";
		return jobs.stream().map((job) -> line(job) + end).collect(Collectors.joining());
	}

	String contentType() {
		return this.contentType;
	}

	String label() {
		return name().toLowerCase(Locale.ROOT);
	}

	/** The format of a name; {@code null}: there is none. */
	static @Nullable JobExport of(@Nullable String name) {
		return Arrays.stream(values()).filter((format) -> format.label().equals(name)).findFirst().orElse(null);
	}

	private static @Nullable Object text(@Nullable Text text) {
		return (text == null) ? null : (text instanceof Text.Shown shown) ? shown.text() : "******";
	}

	private static String cell(@Nullable Object value) {
		String text = (value != null) ? value.toString() : "";
		String safe = (value instanceof String) ? FORMULA.matcher(text).replaceAll("'") : text;
		return safe.matches("[^\",\\r\\n]*") ? safe : "\"" + safe.replace("\"", "\"\"") + "\"";
	}

}
