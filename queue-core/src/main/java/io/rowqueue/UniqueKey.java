package io.rowqueue;

import java.time.Duration;

import io.rowqueue.engine.support.RequestChecks;
import org.springframework.util.Assert;

/**
 * The unique key of a job, with its policies.
 *
 * @param value any text that identifies the work
 * @param keptFor how long the key stays taken after the job has succeeded
 * @param duplicates what an enqueue does if another job has the key
 * @param fromEnqueue whether the key stays taken from the enqueue on, however the job
 * ends, and not from its success on
 * @since 0.1.0
 */
public record UniqueKey(String value, Duration keptFor, DuplicatePolicy duplicates, boolean fromEnqueue) {

	/** The maximum length of a key, in characters. */
	public static final int MAX_LENGTH = 500;

	/** Creates a key that stays taken after the job has succeeded. */
	public UniqueKey(String value, Duration keptFor, DuplicatePolicy duplicates) {
		this(value, keptFor, duplicates, false);
	}

	/**
	 * Checks the values.
	 * @throws IllegalArgumentException if a value is not allowed; the message names it
	 */
	public UniqueKey {
		RequestChecks.text("uniqueKey", value, MAX_LENGTH);
		Assert.hasText(value, "uniqueKey must not be blank: all jobs whose key is empty would be one");
		RequestChecks.duration("uniqueFor", keptFor);
		RequestChecks.present("duplicates", duplicates);
	}

}
