package io.rowqueue.engine.support;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * An error in words. An exception whose own methods fail is no reason to lose track of a
 * job.
 */
public final class ErrorText {

	/** Enough for the causes and the application's own frames. */
	static final int MAX_LENGTH = 10_000;

	private static final int MAX_SUMMARY_LENGTH = 500;

	private static final List<String> CALLERS_OF_HANDLERS = List.of("io.rowqueue.engine.handler.",
			"io.rowqueue.autoconfigure.handler.");

	private static final List<String> LIBRARIES = List.of("java.", "javax.", "jdk.", "sun.", "jakarta.",
			"org.springframework.", "org.postgresql.", "org.hibernate.", "com.zaxxer.", "tools.jackson.",
			"io.rowqueue.engine.");

	private ErrorText() {
	}

	/**
	 * The stack trace, cut, without characters that PostgreSQL cannot store or that
	 * control a terminal.
	 */
	public static String of(Throwable error) {
		return of(error, UnaryOperator.identity());
	}

	/**
	 * The stack trace, masked, then cut, without characters that PostgreSQL cannot store
	 * or that control a terminal.
	 * @param masker masks a longer text than is kept, so that nothing at the end of the
	 * result is a part of what should be masked
	 */
	public static String of(Throwable error, UnaryOperator<String> masker) {
		try {
			StringWriter text = new StringWriter();
			error.printStackTrace(new PrintWriter(text));
			return LogText.lines(cut(masker.apply(cut(text.toString(), 2 * MAX_LENGTH)), MAX_LENGTH));
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
			return summarize(error.toString());
		}
		catch (Throwable ex) {
			return error.getClass().getName();
		}
	}

	/**
	 * Where in the application it was thrown, like {@code (at Invoices.java:42)}: the
	 * first frame of its deepest cause that is no library's.
	 */
	public static String place(Throwable error) {
		StackTraceElement place = null;
		try {
			for (Throwable cause : Causes.of(error)) {
				StackTraceElement frame = applicationFrame(cause.getStackTrace());
				place = (frame != null) ? frame : place;
			}
		}
		catch (Throwable ex) {
			return "";
		}
		if (place == null) {
			return "";
		}
		return "(at " + ((place.getFileName() != null) ? place.getFileName() + ":" + place.getLineNumber()
				: place.getClassName() + "." + place.getMethodName()) + ")";
	}

	private static @Nullable StackTraceElement applicationFrame(StackTraceElement[] frames) {
		return applicationFrames(frames).findFirst().orElse((frames.length > 0) ? frames[0] : null);
	}

	/** The frames that are no library's, up to the queue, which called the handler. */
	public static Stream<StackTraceElement> applicationFrames(StackTraceElement[] frames) {
		return Arrays.stream(frames)
			.takeWhile((frame) -> CALLERS_OF_HANDLERS.stream().noneMatch(frame.getClassName()::startsWith))
			.filter((frame) -> LIBRARIES.stream().noneMatch(frame.getClassName()::startsWith));
	}

	/** Class and message of the last of its causes, in one line. */
	public static String summaryOfRoot(Throwable error) {
		List<Throwable> causes = Causes.of(error);
		return summary(causes.get(causes.size() - 1));
	}

	/** Only what it says, in one line. */
	public static String message(Throwable error) {
		try {
			return summarize(String.valueOf(error.getMessage()));
		}
		catch (Throwable ex) {
			return error.getClass().getName();
		}
	}

	private static String summarize(String text) {
		return cut(LogText.oneLine(text).replaceAll("\\s+", " "), MAX_SUMMARY_LENGTH);
	}

	/**
	 * The first line of a text, cut between two characters and never within one.
	 * @param text any text
	 * @param length how long it is at most, in {@code char}s
	 */
	public static String firstLine(String text, int length) {
		return cut(text.lines().findFirst().orElse(""), length);
	}

	/**
	 * A text, cut between two characters and never within one.
	 * @param text any text
	 * @param length how long it is at most, in {@code char}s
	 */
	public static String cut(String text, int length) {
		if (text.length() <= length) {
			return text.strip();
		}
		int end = Character.isHighSurrogate(text.charAt(length - 1)) ? length - 1 : length;
		return text.substring(0, end) + " ...";
	}

}
