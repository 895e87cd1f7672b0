package io.rowqueue.engine.attempt;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.regex.Pattern;

import io.rowqueue.engine.support.Causes;
import io.rowqueue.engine.support.ErrorText;

/**
 * A number that failures with the same cause have in common: the type of the job, the
 * classes of the exception and its causes, and where in the application the deepest cause
 * was thrown. Line numbers do not count, so that a new version of the application has the
 * same groups. An exception without frames of the application is recognized by its
 * message, without numbers, ids and quoted parts.
 */
final class ErrorFingerprint {

	private static final int MAX_FRAMES = 3;

	/** Names that differ from run to run: of lambdas, proxies and hidden classes. */
	private static final Pattern GENERATED = Pattern
		.compile("\\$\\$\\w+\\$\\$\\w*|\\$\\$Lambda.*|/0x\\w+|\\$Proxy\\d+|\\$\\d+$");

	/** Quoted parts, e-mail addresses, and words with digits such as ids and times. */
	private static final Pattern VARIABLE = Pattern.compile(
			"'[^']{0,200}'|\"[^\"]{0,200}\"|`[^`]{0,200}`|[^\\s@]{1,100}@[^\\s@]{1,100}|[\\w.:+-]{0,100}\\d[\\w.:+-]{0,100}");

	private static final int MAX_MESSAGE_LENGTH = 1000;

	private ErrorFingerprint() {
	}

	/** Returns the fingerprint of a failure of a job of that type. */
	static long of(String type, Throwable error) {
		StringBuilder text = new StringBuilder(type);
		try {
			List<Throwable> causes = Causes.of(error);
			List<String> frames = List.of();
			for (Throwable cause : causes) {
				text.append('\n').append(GENERATED.matcher(cause.getClass().getName()).replaceAll(""));
				List<String> own = frames(cause);
				frames = own.isEmpty() ? frames : own;
			}
			frames.forEach((frame) -> text.append('\n').append(frame));
			if (frames.isEmpty()) {
				text.append('\n').append(words(causes.get(causes.size() - 1)));
			}
		}
		catch (Throwable ex) {
			// an exception whose own methods fail is recognized by what is known so far
			text.append('\n').append(ex.getClass().getName());
		}
		return hash(text.toString());
	}

	private static List<String> frames(Throwable cause) {
		return ErrorText.applicationFrames(cause.getStackTrace())
			.limit(MAX_FRAMES)
			.map((frame) -> GENERATED.matcher(frame.getClassName()).replaceAll("") + "#"
					+ GENERATED.matcher(frame.getMethodName()).replaceAll(""))
			.toList();
	}

	private static String words(Throwable error) {
		return VARIABLE.matcher(ErrorText.cut(String.valueOf(error.getMessage()), MAX_MESSAGE_LENGTH)).replaceAll("?");
	}

	private static long hash(String text) {
		try {
			byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
			return ByteBuffer.wrap(hash).getLong();
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every Java has SHA-256", ex);
		}
	}

}
