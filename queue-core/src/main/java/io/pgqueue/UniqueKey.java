package io.pgqueue;

import java.time.Duration;

import io.pgqueue.engine.support.RequestChecks;

/**
 * What makes a job unique.
 *
 * @param value any text, the same for jobs that are the same work
 * @param keptFor how long the key stays taken after the job has succeeded
 * @param duplicates what happens when another job has the key
 * @since 0.1.0
 */
public record UniqueKey(String value, Duration keptFor, DuplicatePolicy duplicates) {

	/** The most characters that a key can have. */
	public static final int MAX_LENGTH = 500;

	/**
	 * Checks every value.
	 * @throws IllegalArgumentException naming the value that is wrong and what is allowed
	 */
	public UniqueKey {
		RequestChecks.text("uniqueKey", value, MAX_LENGTH);
		RequestChecks.duration("uniqueFor", keptFor);
		RequestChecks.present("duplicates", duplicates);
	}

}
