package io.rowqueue.kafka;

import java.util.regex.Pattern;

/** Names of topics and groups. */
final class Names {

	private static final Pattern VALID = Pattern.compile("[a-zA-Z0-9._-]+");

	private static final int MAX_LENGTH = 249;

	private static final String DEAD_LETTERS = "dlq.";

	private Names() {
	}

	static void check(String schema, String type) {
		String topic = topic(schema, type);
		if (!VALID.matcher(topic).matches()) {
			throw new IllegalArgumentException(
					"types must not contain '" + type + "' in the schema '" + schema + "': the topic would be '" + topic
							+ "', and names of topics consist of letters, digits, dots, dashes and underscores");
		}
		if (topic.length() > MAX_LENGTH - DEAD_LETTERS.length()) {
			throw new IllegalArgumentException(
					"types must not contain '" + type + "': the name of the topic '" + topic + "' would be too long");
		}
	}

	/** The topic of a type. The group of its workers has the same name. */
	static String topic(String schema, String type) {
		return "rowqueue." + schema + "." + type;
	}

	/** The topic of records that the broker has given up. */
	static String deadLetters(String topic) {
		return DEAD_LETTERS + topic;
	}

}
