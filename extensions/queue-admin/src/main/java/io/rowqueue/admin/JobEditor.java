package io.rowqueue.admin;

import java.util.Optional;

import io.rowqueue.step.SignalResult;
import org.jspecify.annotations.Nullable;

/**
 * Changes payloads of waiting jobs, and enqueues jobs with payloads that people wrote. A
 * payload is JSON as it is stored; where this process has a handler for the type, it must
 * also map to the parameter of the handler. Each call commits separately.
 *
 * @since 0.1.0
 */
public interface JobEditor {

	/**
	 * Replaces the payload of a waiting job.
	 * @param id the id of the job
	 * @param payload the new payload
	 * @param revision {@link JobDetails#revision} as it was read, or {@code null} to
	 * replace any version of the job
	 * @return the result of the request
	 * @throws IllegalArgumentException if the payload is not JSON, is too large, or does
	 * not map to the parameter of the handler
	 */
	EditResult edit(long id, String payload, @Nullable String revision);

	/**
	 * Enqueues a new job like an existing one, which may have finished: with its type,
	 * queue, priority, maximum number of attempts, tags and limit key, but without its
	 * unique key. The limit key of a job that has finished is not kept, nor is a payload
	 * of more than 2,000 bytes if the job has succeeded: the new job has none then.
	 * @param id the id of the existing job
	 * @param payload the payload of the new job, or {@code null} for that of the existing
	 * one
	 * @return the id of the new job; empty if the existing job is not kept
	 * @throws IllegalArgumentException as from {@link #edit}
	 */
	Optional<Long> replay(long id, @Nullable String payload);

	/**
	 * Enqueues a job.
	 * @param job the job
	 * @return its id
	 * @throws IllegalArgumentException as from {@link #edit}, or if a value is not
	 * allowed
	 */
	long enqueue(WrittenJob job);

	/**
	 * Sends a signal to a job, see {@link io.rowqueue.JobQueue#signal}.
	 * @param id the id of the job
	 * @param name the name of the signal, from 1 to 200 characters
	 * @param payload the payload of the signal, or {@code null} for none
	 * @return whether the job received it
	 * @throws IllegalArgumentException if the payload is not JSON or is too large, or the
	 * name is not allowed
	 */
	SignalResult signal(long id, String name, @Nullable String payload);

	/** The result of a request to replace a payload. */
	enum EditResult {

		/** The job has the new payload. */
		EDITED,

		/** The job has changed since it was read. */
		CHANGED,

		/** The job does not exist, or does not wait. */
		NOT_WAITING

	}

}
