package io.pgqueue;

import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Callable;

import io.pgqueue.engine.support.HeaderNames;
import io.pgqueue.schedule.Schedule;
import io.pgqueue.schedule.ScheduleHeaders;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ParameterizedTypeReference;

/**
 * The context of an attempt, for the handler that runs it.
 *
 * @since 0.1.0
 */
public interface JobContext {

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
	 * @return the time by the database's clock, or {@code null} if no {@link Schedule}
	 * enqueued the job
	 */
	default @Nullable Instant dueAt() {
		String time = headers().get(ScheduleHeaders.DUE_AT);
		return (time != null) ? Instant.parse(time) : null;
	}

	/**
	 * Returns the name of the {@link Schedule} that enqueued the job.
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
	 * @param message a text for people, truncated to 500 characters, or {@code null}
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
	 * Runs a step of the work, unless an earlier attempt of this job has completed it.
	 * The result of a completed step is recorded, and returned by all later calls with
	 * the same name in this attempt and in later ones. A handler that fails late thus
	 * continues where it stopped.
	 * <p>
	 * A step is repeated if its process dies after the step has finished but before it
	 * was recorded. In a {@linkplain JobHandler#transactional() transactional} handler,
	 * the record is part of the transaction. Records are kept until the job has succeeded
	 * or was cancelled; a job that failed permanently keeps them.
	 * <p>
	 * Outside of a worker, for example in a unit test, a step runs its work and records
	 * nothing.
	 * @param <T> the type of the result
	 * @param name the name of the step within the job, at most 200 characters; in a loop
	 * it must identify the iteration
	 * @param work the work
	 * @param type the class that a recorded result is mapped to
	 * @return the result, or {@code null} if the work returned {@code null}
	 * @throws PayloadConversionException if the result cannot be written as JSON, is
	 * larger than 1 MB (1,048,576 bytes) of JSON, or cannot be read back
	 * @throws JobQueueException if the lease was lost; nothing was recorded then
	 * @throws Exception if the work throws it
	 */
	default <T> @Nullable T step(String name, Callable<? extends @Nullable T> work, Class<T> type) throws Exception {
		@SuppressWarnings("unchecked")
		T result = (T) recordStep(name, work, type);
		return result;
	}

	/**
	 * Runs a step whose result has a generic type, see
	 * {@link #step(String, Callable, Class)}.
	 *
	 * <pre class="code">
	 * context.step("addresses", () -&gt; load(), new ParameterizedTypeReference&lt;List&lt;String&gt;&gt;() {
	 * })
	 * </pre>
	 * @param <T> the type of the result
	 * @param name the name of the step within the job
	 * @param work the work
	 * @param type the type that a recorded result is mapped to
	 * @return the result, or {@code null} if the work returned {@code null}
	 * @throws Exception as for {@link #step(String, Callable, Class)}
	 */
	default <T> @Nullable T step(String name, Callable<? extends @Nullable T> work, ParameterizedTypeReference<T> type)
			throws Exception {
		@SuppressWarnings("unchecked")
		T result = (T) recordStep(name, work, type.getType());
		return result;
	}

	/**
	 * Runs a step that has no result, see {@link #step(String, Callable, Class)}.
	 * @param name the name of the step within the job
	 * @param work the work
	 * @throws Exception as for {@link #step(String, Callable, Class)}
	 */
	default void step(String name, Step work) throws Exception {
		recordStep(name, () -> {
			work.run();
			return null;
		}, Object.class);
	}

	/**
	 * Runs and records a step. All {@code step} methods call this one, which a worker
	 * implements; this implementation only runs the work.
	 * @param name the name of the step within the job
	 * @param work the work
	 * @param type the type that a recorded result is mapped to
	 * @return the result, or {@code null} if the work returned {@code null}
	 * @throws Exception as for {@link #step(String, Callable, Class)}
	 */
	default @Nullable Object recordStep(String name, Callable<? extends @Nullable Object> work, Type type)
			throws Exception {
		return work.call();
	}

	/**
	 * Waits for a {@linkplain JobQueue#signal signal} to this job. No slot is held
	 * meanwhile: if the signal was not sent yet, this method throws an exception that
	 * ends the attempt, which is not counted. When the signal is there, or the time has
	 * passed, the handler is called again from its beginning, and this call returns. Do
	 * what must not be repeated in {@linkplain #step steps}, and do not catch the
	 * exception: the attempt ends in any case.
	 * <p>
	 * A signal that was sent before is received at once. The result is the same for all
	 * later calls with the same name, in this attempt and in later ones: the signal, or
	 * that it did not come in time.
	 * <p>
	 * The transaction of a {@linkplain JobHandler#transactional() transactional} handler
	 * is rolled back when it waits, its steps included, so that it begins anew. Handlers
	 * that are called for {@linkplain JobHandler#coalesce() several jobs} cannot wait.
	 * @param <T> the type of the payload
	 * @param name the name of the signal within the job, at most 200 characters; in a
	 * loop it must identify the iteration
	 * @param type the class that the payload is mapped to
	 * @param timeout how long to wait, from the first call with this name, by the
	 * database's clock, at most {@link JobRequest#MAX_DELAY}; zero or less: not at all,
	 * so that only a signal that was sent before is received
	 * @return the payload; empty if the signal did not come in time
	 * @throws SnoozeJobException to end the attempt; do not catch it
	 * @throws PayloadConversionException if the signal has no payload, or the payload
	 * cannot be mapped to the class
	 * @throws JobQueueException if the lease was lost
	 */
	default <T> Optional<T> awaitSignal(String name, Class<T> type, Duration timeout) {
		throw new UnsupportedOperationException("This context has no access to signals");
	}

	/**
	 * Waits for a signal whose payload has a generic type, see
	 * {@link #awaitSignal(String, Class, Duration)}.
	 * @param <T> the type of the payload
	 * @param name the name of the signal within the job
	 * @param type the type that the payload is mapped to
	 * @param timeout how long to wait, from the first call with this name
	 * @return the payload; empty if the signal did not come in time
	 */
	default <T> Optional<T> awaitSignal(String name, ParameterizedTypeReference<T> type, Duration timeout) {
		throw new UnsupportedOperationException("This context has no access to signals");
	}

	/**
	 * Waits for a signal and ignores its payload, see
	 * {@link #awaitSignal(String, Class, Duration)}.
	 * @param name the name of the signal within the job
	 * @param timeout how long to wait, from the first call with this name
	 * @return whether the signal came in time
	 */
	default boolean awaitSignal(String name, Duration timeout) {
		throw new UnsupportedOperationException("This context has no access to signals");
	}

	/**
	 * Waits for some time without holding a slot, in the same way as
	 * {@link #awaitSignal(String, Class, Duration)}: the attempt ends, and the handler is
	 * called again from its beginning when the time has passed. Outside of a worker, for
	 * example in a unit test, this method returns at once.
	 * @param name the name of the sleep within the job, at most 200 characters; in a loop
	 * it must identify the iteration
	 * @param duration how long to wait, from the first call with this name, by the
	 * database's clock, at most {@link JobRequest#MAX_DELAY}; zero or less: not at all
	 * @throws SnoozeJobException to end the attempt; do not catch it
	 * @throws JobQueueException if the lease was lost
	 */
	default void sleep(String name, Duration duration) {
	}

	/** The work of a step that has no result. */
	@FunctionalInterface
	interface Step {

		/**
		 * Runs the work.
		 * @throws Exception to fail the attempt, unless the handler catches it
		 */
		void run() throws Exception;

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
	 * jobs to it, see {@link io.pgqueue.flow.Flow#addedBy(JobContext)}.
	 * @return the id of the flow, or empty if there is none
	 */
	default OptionalLong flowId() {
		return OptionalLong.empty();
	}

}
