package io.rowqueue;

import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

import io.rowqueue.engine.support.HeaderNames;
import io.rowqueue.step.JobSteps;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ParameterizedTypeReference;

/**
 * The context of an attempt, for the handler that runs it: the job, how its attempt is
 * going, and the {@linkplain JobSteps steps} of its work.
 *
 * @since 0.1.0
 */
public interface JobContext extends JobSteps {

	/**
	 * Returns the id of the job. All attempts of a job have the same id, which makes it
	 * suitable as an idempotency key.
	 */
	long id();

	/** Returns the type of the job. */
	String type();

	/** Returns the queue of the job. */
	String queue();

	/**
	 * Returns the number of this attempt, starting with 1. An attempt is not counted if
	 * its process died within about a second, before the job was recorded as running,
	 * although its handler may have been called. Use {@link #leaseToken()} to find out
	 * whether a worker has held the job before.
	 */
	int attempt();

	/** Returns the maximum number of attempts of the job. */
	int maxAttempts();

	/** Returns when the job was enqueued, by the database's clock. */
	Instant createdAt();

	/** Returns when the job, or its retry, was due, by the database's clock. */
	Instant runAt();

	/**
	 * Returns a number that grows with each lease of this job. A system that stores it
	 * with a write can reject a later write with a lower token, which comes from a stale
	 * worker.
	 */
	int leaseToken();

	/**
	 * Returns the headers that were stored with the job when it was enqueued, such as the
	 * trace that the job belongs to.
	 */
	default Map<String, String> headers() {
		return Map.of();
	}

	/**
	 * Returns the tags that the job was enqueued with.
	 */
	default Set<String> tags() {
		String tags = headers().get(HeaderNames.TAGS);
		return (tags != null) ? new LinkedHashSet<>(List.of(tags.split("\n"))) : Set.of();
	}

	/**
	 * Returns the job that has failed permanently, if this job was enqueued because of
	 * that, see {@link JobRequest#onFailure(JobRequest)}.
	 * @return the id of the failed job, or empty if there is none
	 */
	default OptionalLong failedJobId() {
		String id = headers().get(HeaderNames.FAILED_JOB);
		return (id != null) ? OptionalLong.of(Long.parseLong(id)) : OptionalLong.empty();
	}

	/**
	 * Returns when the job would have expired.
	 * @return the time by the database's clock, or {@code null} if it does not expire
	 */
	default @Nullable Instant expiresAt() {
		String time = headers().get(HeaderNames.EXPIRES_AT);
		return (time != null) ? Instant.parse(time) : null;
	}

	/**
	 * Returns the due time of a recurring job: the time of the schedule that this job was
	 * enqueued for, however late it starts and however often it is retried. For a job
	 * that was triggered manually, this is the time of the trigger.
	 * @return the time by the database's clock, or {@code null} if no schedule enqueued
	 * the job
	 */
	default @Nullable Instant dueAt() {
		String time = headers().get(ScheduleHeaders.DUE_AT);
		return (time != null) ? Instant.parse(time) : null;
	}

	/**
	 * Returns the name of the schedule that enqueued the job.
	 * @return the name, or {@code null} if no schedule enqueued it
	 */
	default @Nullable String schedule() {
		return headers().get(ScheduleHeaders.NAME);
	}

	/**
	 * Returns whether the handler should stop, because the lease was lost, the job was
	 * cancelled, the attempt timed out, its window has closed, or its worker shuts down.
	 * The thread is interrupted as well, at a shutdown only when the shutdown timeout has
	 * passed. A handler that runs for a long time without blocking should check this
	 * regularly.
	 */
	default boolean stopRequested() {
		return stopReason() != null;
	}

	/**
	 * Returns why the handler should stop. A worker that can reach the database notices
	 * within about a second that it has lost jobs to others, or that they are to be
	 * cancelled.
	 * @return the reason, or {@code null} if the handler need not stop
	 */
	@Nullable StopReason stopReason();

	/**
	 * Reports the progress of the job, which is available as {@link Job#progress()}. The
	 * call is cheap and may be made as often as desired, since it only keeps the latest
	 * values in memory. The worker writes them about once a second, and when the handler
	 * has finished, outside of any transaction of the handler. Progress is discarded if
	 * it was reported under a lost lease, or was not written before the process died.
	 * @param done how much is done, in any unit; at least 0
	 * @param total how much there is to do, in the same unit; 0 if unknown
	 * @param message a text for people, truncated after 500 characters, or {@code null}
	 * @throws IllegalArgumentException if a number is negative
	 */
	void progress(long done, long total, @Nullable String message);

	/**
	 * Returns the log of the job, for lines that people who look at the job should see.
	 * They are kept as long as the job.
	 * @return the log, which may be used by several threads until the attempt has ended
	 */
	default JobLogger log() {
		return JobLogger.NONE;
	}

	/**
	 * Returns the result of another job of the same flow.
	 * @param <T> the type of the result
	 * @param name the name of that job in the flow
	 * @param type the class that the result is mapped to
	 * @return the result; empty if that job has not succeeded, returned {@code null}, or
	 * has a handler that does not {@linkplain JobHandler#keepResult() keep results}
	 * @throws IllegalArgumentException if this job is not part of a flow that has such a
	 * job
	 * @throws PayloadConversionException if the result cannot be mapped to the class
	 */
	default <T> Optional<T> resultOf(String name, Class<T> type) {
		throw new UnsupportedOperationException("This context has no access to other jobs");
	}

	/**
	 * Returns the result of another job of the same flow, which is of a generic type.
	 * @param <T> the type of the result
	 * @param name the name of that job in the flow
	 * @param type the type that the result is mapped to
	 * @return the result; empty if that job has not succeeded, returned {@code null}, or
	 * has a handler that does not {@linkplain JobHandler#keepResult() keep results}
	 * @throws IllegalArgumentException if this job is not part of a flow that has such a
	 * job
	 * @throws PayloadConversionException if the result cannot be mapped to the type
	 */
	default <T> Optional<T> resultOf(String name, ParameterizedTypeReference<T> type) {
		throw new UnsupportedOperationException("This context has no access to other jobs");
	}

	/**
	 * Returns the result of another job. The result of a predecessor of this job is kept
	 * for about as long as failed jobs, that of any other job for as long as finished
	 * jobs.
	 * @param <T> the type of the result
	 * @param jobId the id of the job
	 * @param type the class that the result is mapped to
	 * @return the result; empty if the job has not succeeded, returned {@code null}, or
	 * has a handler that does not {@linkplain JobHandler#keepResult() keep results}, or
	 * if the result is no longer retained
	 * @throws PayloadConversionException if the result cannot be mapped to the class
	 */
	default <T> Optional<T> resultOf(long jobId, Class<T> type) {
		throw new UnsupportedOperationException("This context has no access to other jobs");
	}

	/**
	 * Returns the batch that the job belongs to, or whose callback it is. Queries the
	 * database.
	 * @return the id of the batch, or empty if there is none
	 */
	default OptionalLong batchId() {
		return OptionalLong.empty();
	}

	/**
	 * Returns the flow that the job belongs to. Queries the database. The job can add
	 * jobs to it, see {@link io.rowqueue.flow.Flow#addedBy(JobContext)}.
	 * @return the id of the flow, or empty if there is none
	 */
	default OptionalLong flowId() {
		return OptionalLong.empty();
	}

}
