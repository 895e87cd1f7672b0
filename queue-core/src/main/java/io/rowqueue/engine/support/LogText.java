package io.rowqueue.engine.support;

import java.util.regex.Pattern;

/**
 * Text from outside, for a line of the log: it can neither begin another line nor control
 * the terminal that shows it.
 */
public final class LogText {

	/**
	 * Control characters (C0, DEL and C1, which has a CSI of its own), invisible ones
	 * such as those that turn the direction of writing, and the line separators of
	 * Unicode.
	 */
	private static final Pattern CONTROL = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]");

	/** The same, without those that a stack trace is made of. */
	private static final Pattern CONTROL_IN_LINES = Pattern.compile("\r\n?|[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}&&[^\t\n]]");

	private LogText() {
	}

	/**
	 * Makes one line of a text.
	 * @param text the text from outside
	 * @return the text, with a blank for each control character and line separator
	 */
	public static String oneLine(String text) {
		return CONTROL.matcher(text).replaceAll(" ");
	}

	/**
	 * Makes one line of a text of any length.
	 * @param text the text from outside
	 * @param length how long the line is at most, in {@code char}s
	 * @return the beginning of the text, with a blank for each control character and line
	 * separator
	 */
	public static String oneLine(String text, int length) {
		return oneLine(ErrorText.cut(text, length));
	}

	/**
	 * Keeps the lines of a text, such as a stack trace.
	 * @param text the text from outside
	 * @return the text, with U+FFFD for each other control character
	 */
	public static String lines(String text) {
		return CONTROL_IN_LINES.matcher(text).replaceAll((match) -> match.group().equals("\r\n") ? "\n" : "\uFFFD");
	}

}
