package io.rowqueue.engine.figures;

import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Failed attempts with the same cause.
 *
 * @param id the fingerprint of their errors
 * @param type the type of the jobs
 * @param firstAt when the first one failed
 * @param lastAt when the last one failed
 * @param lastJob the job of the last one
 * @param failures how many there were
 * @param versions the versions of the application that it was seen in, the latest last
 * @param sample the stack trace of the first one
 * @param status {@code open}, {@code resolved} or {@code ignored}
 * @param statusBy who set the status, or {@code null} if it was never set
 * @param statusAt when the status was set
 * @param reopenedAt when it was seen again after it was resolved
 * @param note the note of an operator
 */
public record ErrorGroup(long id, String type, Instant firstAt, Instant lastAt, long lastJob, long failures,
		List<String> versions, String sample, String status, @Nullable String statusBy, @Nullable Instant statusAt,
		@Nullable Instant reopenedAt, @Nullable String note) {

	/** Returns the class of the exception. */
	public String exception() {
		String line = this.sample.lines().findFirst().orElse("");
		int end = line.indexOf(':');
		return (end < 0) ? line : line.substring(0, end);
	}

	/** Returns the name of a group in addresses. */
	public static String name(long id) {
		return "%016x".formatted(id);
	}

	/** Returns the id of a group by its name in addresses; 0 if it is none. */
	public static long id(String name) {
		try {
			return (name.length() <= 16) ? Long.parseUnsignedLong(name, 16) : 0;
		}
		catch (NumberFormatException ex) {
			return 0;
		}
	}

}
