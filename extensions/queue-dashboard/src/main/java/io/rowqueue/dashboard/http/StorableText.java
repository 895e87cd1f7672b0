package io.rowqueue.dashboard.http;

import java.util.regex.Pattern;

/**
 * What PostgreSQL can store. It rejects any other text as if something was wrong with the
 * database, so that such texts are refused before they reach it.
 */
final class StorableText {

	static final String REASON = "must contain neither the character NUL nor half a character";

	/** NUL, and a surrogate without its other half. */
	private static final Pattern OTHERS = Pattern.compile("[\\x00\\uD800-\\uDFFF]");

	private StorableText() {
	}

	/** Whether a text can be stored. */
	static boolean is(String text) {
		return !OTHERS.matcher(text).find();
	}

}
