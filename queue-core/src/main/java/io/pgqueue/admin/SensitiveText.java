package io.pgqueue.admin;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The texts that jobs bring along at run time or that people and other programs write, as
 * opposed to the names that are chosen in code and configuration: of queues, types,
 * schedules, windows and classes of limit keys. Whoever shows any of the queue's data has
 * each of these pass a {@link TextMasker}.
 *
 * @since 0.1.0
 */
public enum SensitiveText {

	/** The payload of a job. */
	PAYLOAD("pgqueue.job.payload", true),

	/** What its handler returned. */
	RESULT("pgqueue.job.result", true),

	/** Its unique key. */
	UNIQUE_KEY("pgqueue.job.unique-key", true),

	/** Its limit key, whose class is in front of the first {@code :} and stays. */
	LIMIT_KEY("pgqueue.job.limit-key", true),

	/** The error of an attempt, of which the class of the exception stays. */
	ERROR("pgqueue.job.error", true),

	/** The message of its progress. */
	PROGRESS("pgqueue.job.progress", true),

	/** The name of a step that its handler has done. */
	STEP("pgqueue.job.step", true),

	/** The name of a flow. */
	FLOW("pgqueue.flow.name", true),

	/** The name of a job in its flow. */
	FLOW_JOB("pgqueue.flow.job", true),

	/** The name of a batch. */
	BATCH("pgqueue.batch.name", true),

	/** What whoever paused something wrote for those who wonder. */
	PAUSE_REASON("pgqueue.pause.reason", false),

	/** What a session of the database calls itself. */
	APPLICATION_NAME("pgqueue.database.application-name", false);

	/** Stands for what is not shown. */
	public static final String HIDDEN = "******";

	private static final Pattern EXCEPTION = Pattern.compile("((?:[\\w$]+\\.)+\\p{Lu}[\\w$]*)(?::.*)?");

	/** What the queue itself writes as the error of a job. */
	private static final Pattern OWN_ERROR = Pattern.compile("worker \\d+ \\(\\S*\\) died|Batch \\d+ ended otherwise"
			+ "|Job \\d+ .{0,210}which it was to run after, (?:failed|was cancelled)");

	private final String key;

	private final boolean hidden;

	SensitiveText(String key, boolean hidden) {
		this.key = key;
		this.hidden = hidden;
	}

	/**
	 * Names the kind to functions that sanitize.
	 * @return such as {@code pgqueue.job.payload}, the same in all versions
	 */
	public String key() {
		return this.key;
	}

	/**
	 * Whether it is shown only to those who have the right to see payloads.
	 * @return false for what is written for everybody who looks
	 */
	public boolean isHidden() {
		return this.hidden;
	}

	/**
	 * What everybody may see of a text that is hidden.
	 * @param text the text
	 * @return {@value #HIDDEN}, with the part before it that stays
	 */
	public String mask(String text) {
		return switch (this) {
			case LIMIT_KEY -> (text.indexOf(':') < 0) ? HIDDEN : text.substring(0, text.indexOf(':') + 1) + HIDDEN;
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
