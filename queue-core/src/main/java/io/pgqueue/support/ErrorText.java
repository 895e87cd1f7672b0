package io.pgqueue.support;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;

/**
 * An error in words. An exception whose own methods fail is no reason to lose track of a
 * job.
 */
public final class ErrorText {

	/** Enough for the causes and the application's own frames. */
	static final int MAX_LENGTH = 10_000;

	private static final int MAX_SUMMARY_LENGTH = 500;

	private ErrorText() {
	}

	/** The stack trace, cut, without the character that PostgreSQL cannot store. */
	public static String of(Throwable error) {
		try {
			StringWriter text = new StringWriter();
			error.printStackTrace(new PrintWriter(text));
			return cut(text.toString(), MAX_LENGTH).replace('\0', '\uFFFD');
		}
		catch (Throwable ex) {
			return error.getClass().getName();
		}
	}

	/** In characters that every encoding of a database has. */
	public static String plain(String text) {
		return text.replaceAll("[^\\p{ASCII}]", "?");
	}

	/** Class and message, in one line. */
	public static String summary(Throwable error) {
		try {
			return cut(error.toString().replaceAll("\\s+", " "), MAX_SUMMARY_LENGTH);
		}
		catch (Throwable ex) {
			return error.getClass().getName();
		}
	}

	/** Class and message of the last of its causes, in one line. */
	public static String summaryOfRoot(Throwable error) {
		List<Throwable> causes = Causes.of(error);
		return summary(causes.get(causes.size() - 1));
	}

	/** Only what it says, in one line. */
	public static String message(Throwable error) {
		try {
			return cut(String.valueOf(error.getMessage()).replaceAll("\\s+", " "), MAX_SUMMARY_LENGTH);
		}
		catch (Throwable ex) {
			return error.getClass().getName();
		}
	}

	private static String cut(String text, int length) {
		if (text.length() <= length) {
			return text.strip();
		}
		int end = Character.isHighSurrogate(text.charAt(length - 1)) ? length - 1 : length;
		return text.substring(0, end) + " ...";
	}

}
