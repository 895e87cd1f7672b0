package io.rowqueue.admin.filter;

import java.util.regex.Pattern;

/**
 * What the last error of a job is compared with.
 *
 * @param text a part of the text of the error, whatever the case of its letters, or the
 * fingerprint of an error: 16 hexadecimal digits
 * @since 0.1.0
 */
public record ErrorMatch(String text) {

	private static final Pattern FINGERPRINT = Pattern.compile("[0-9a-f]{16}");

	/** Checks the length. */
	public ErrorMatch {
		JobFilterValues.checkText("the text of an error", text);
	}

	/** Returns whether it is a fingerprint. */
	public boolean isFingerprint() {
		return FINGERPRINT.matcher(this.text).matches();
	}

	/** Returns the fingerprint as a number, as it is stored. */
	public long fingerprint() {
		return Long.parseUnsignedLong(this.text, 16);
	}

}
