package io.rowqueue.masking;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The kinds of texts that jobs, people or other programs provide at run time, as opposed
 * to names that are chosen in code and configuration: those of queues, types, schedules,
 * windows and classes of limit keys. Code that shows data of the queue must pass each of
 * these texts through a {@link TextMasker}.
 *
 * @since 0.1.0
 */
public enum SensitiveText {

	/** The payload of a job. */
	PAYLOAD("rowqueue.job.payload", true),

	/** The result of a job. */
	RESULT("rowqueue.job.result", true),

	/** The unique key of a job. */
	UNIQUE_KEY("rowqueue.job.unique-key", true),

	/** The limit key of a job. Its class, before the first colon, is not masked. */
	LIMIT_KEY("rowqueue.job.limit-key", true),

	/** A tag of a job. What is before its first colon is not masked. */
	TAG("rowqueue.job.tag", true),

	/** The value of a header that was set for a job. */
	HEADER("rowqueue.job.header", true),

	/** The error of an attempt. The class of the exception is not masked. */
	ERROR("rowqueue.job.error", true),

	/** The message of a job's progress. */
	PROGRESS("rowqueue.job.progress", true),

	/** A line of the log of a job. */
	LOG("rowqueue.job.log", true),

	/** The name of a recorded step of a handler. */
	STEP("rowqueue.job.step", true),

	/** The name of a flow. */
	FLOW("rowqueue.flow.name", true),

	/** The name of a job in its flow. */
	FLOW_JOB("rowqueue.flow.job", true),

	/** The name of a batch. */
	BATCH("rowqueue.batch.name", true),

	/** The reason that was given for a pause. */
	PAUSE_REASON("rowqueue.pause.reason", false),

	/** The application name of a database session. */
	APPLICATION_NAME("rowqueue.database.application-name", false);

	/** Replaces masked text. */
	public static final String HIDDEN = "******";

	private static final Pattern EXCEPTION = Pattern.compile("((?:[\\w$]+\\.)+\\p{Lu}[\\w$]*)(?::.*)?");

	/** The errors that the queue itself writes. */
	private static final Pattern OWN_ERROR = Pattern
		.compile("worker \\d+ \\(\\S*\\) died|Batch \\d+ ended otherwise" + "|The job expired before it began"
				+ "|Job \\d+ .{0,210}which it was to run after, (?:failed|was cancelled)");

	private final String key;

	private final boolean hidden;

	SensitiveText(String key, boolean hidden) {
		this.key = key;
		this.hidden = hidden;
	}

	/**
	 * Returns the key of this kind for functions that sanitize data.
	 * @return a key such as {@code rowqueue.job.payload}, which is the same in all
	 * versions
	 */
	public String key() {
		return this.key;
	}

	/**
	 * Returns whether the text is shown only to readers who may see payloads.
	 * @return {@code false} for texts that are written for all readers
	 */
	public boolean isHidden() {
		return this.hidden;
	}

	/**
	 * Masks a text for readers who may not see it.
	 * @param text the text
	 * @return {@value #HIDDEN}, after the part that is not masked
	 */
	public String mask(String text) {
		return switch (this) {
			case LIMIT_KEY, TAG -> (text.indexOf(':') < 0) ? HIDDEN : text.substring(0, text.indexOf(':') + 1) + HIDDEN;
			case ERROR -> maskError(text.lines().findFirst().orElse(""));
			default -> HIDDEN;
		};
	}

	private static String maskError(String line) {
		if (OWN_ERROR.matcher(line).matches()) {
			return line;
		}
		Matcher exception = EXCEPTION.matcher(line);
		return exception.matches() ? exception.group(1) + ": " + HIDDEN : HIDDEN;
	}

}
