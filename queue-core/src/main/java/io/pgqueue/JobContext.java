package io.pgqueue;

import java.lang.reflect.Type;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;

import io.pgqueue.schedule.Schedule;
import io.pgqueue.schedule.ScheduleHeaders;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ParameterizedTypeReference;

/**
 * What a handler can know about the attempt that it runs.
 *
 * @since 0.1.0
 */
public interface JobContext {

	/**
	 * The id of the job; the same for every attempt, and so a good key to make effects
	 * idempotent.
	 */
	long id();

	/** The type of the job. */
	String type();

	/** The queue of the job. */
	String queue();

	/**
	 * The number of this attempt; 1 is the first. An attempt whose process died before
	 * the job was seen to run, which takes a second, is not counted, though the handler
	 * may have been called: ask {@link #leaseToken()} whether anybody held the job
	 * before.
	 */
	int attempt();

	/** How many attempts the job has at most. */
	int maxAttempts();

	/** When the job was enqueued, by the database's clock. */
	Instant createdAt();

	/** When the job was due, by the database's clock; after a retry, the retry's time. */
	Instant runAt();

	/**
	 * A number that is new for every lease of this job: an effect that carries it can
	 * tell a stale worker's write from the current one's (a bigger token is newer).
	 */
	int leaseToken();

	/**
	 * What was kept on the job when it was enqueued, besides its payload: the trace that
	 * it belongs to, for example.
	 */
	default Map<String, String> headers() {
		return Map.of();
	}

	/**
	 * The due time of a recurring job: the time in its rhythm that this job is for,
	 * however late it is or often it was tried. A job that was triggered by hand has the
	 * time of that.
	 * @return the time by the database's clock, or {@code null} if the job is of no
	 * {@link Schedule}
	 */
	default @Nullable Instant dueAt() {
		String time = headers().get(ScheduleHeaders.DUE_AT);
		return (time != null) ? Instant.parse(time) : null;
	}

	/**
	 * The name of the {@link Schedule} that enqueued the job.
	 * @return the name, or {@code null} if nobody but a caller did
	 */
	default @Nullable String schedule() {
		return headers().get(ScheduleHeaders.NAME);
	}

	/**
	 * Whether the job should stop: its lease was lost, it was cancelled, it takes too
	 * long, or its worker shuts down. The thread is interrupted as well, in the last case
	 * only when the time for the shutdown is over; a long handler that does not block
	 * should ask now and then.
	 */
	default boolean stopRequested() {
		return stopReason() != null;
	}

	/**
	 * Why the job should stop. A worker learns within about a second that its jobs were
	 * given to others or are to be cancelled, as long as it reaches the database.
	 * @return the reason, or {@code null} as long as the job should go on
	 */
	@Nullable StopReason stopReason();

	/**
	 * Tells how far the job is, for those who look at it: {@link Job#progress()}. It may
	 * be called as often as you like: it only remembers what is told. The worker writes
	 * the latest down about once a second, and when the handler is over, outside of any
	 * transaction of the handler. What is told under a lease that was lost is dropped,
	 * and so is what was not yet written when the process dies.
	 * @param done how much is done, in any unit; 0 or more
	 * @param total how much there is to do, in the same unit; 0: not known
	 * @param message for people, cut to 500 characters; {@code null}: none
	 * @throws IllegalArgumentException if a number is negative
	 */
	void progress(long done, long total, @Nullable String message);

	/**
	 * Does a part of the work, unless an earlier attempt of this job has done it: its
	 * result is recorded when it is over, and returned by all later calls with the name,
	 * in this attempt and in those after it. So a handler that fails late goes on where
	 * it was.
	 * <p>
	 * A step runs again if its process dies between its end and the record, just as a job
	 * does. In a {@linkplain JobHandler#transactional() transactional} handler the record
	 * is part of the transaction. What was recorded is kept as long as the job is not
	 * over, a failed one included.
	 * <p>
	 * Outside of a worker, in a test of its own for example, a step just does its work.
	 * @param <T> the type of the result
	 * @param name names the step within the job, at most 200 characters; in a loop let it
	 * contain what the round is about
	 * @param work what to do
	 * @param type what the result is read back as
	 * @return the result, {@code null} if that is what the work has returned
	 * @throws PayloadConversionException if the result cannot be written as JSON, takes
	 * more than 1 MB (1,048,576 bytes) of it, or cannot be read back
	 * @throws JobQueueException if the lease was lost; nothing was recorded then
	 * @throws Exception what the work throws
	 */
	default <T> @Nullable T step(String name, Callable<? extends @Nullable T> work, Class<T> type) throws Exception {
		@SuppressWarnings("unchecked")
		T result = (T) recordStep(name, work, type);
		return result;
	}

	/**
	 * Does a part of the work whose result is of a generic type, like
	 * {@link #step(String, Callable, Class)}.
	 *
	 * <pre class="code">
	 * context.step("addresses", () -&gt; load(), new ParameterizedTypeReference&lt;List&lt;String&gt;&gt;() {
	 * })
	 * </pre>
	 * @param <T> the type of the result
	 * @param name names the step within the job
	 * @param work what to do
	 * @param type what the result is read back as
	 * @return the result
	 * @throws Exception like there
	 */
	default <T> @Nullable T step(String name, Callable<? extends @Nullable T> work, ParameterizedTypeReference<T> type)
			throws Exception {
		@SuppressWarnings("unchecked")
		T result = (T) recordStep(name, work, type.getType());
		return result;
	}

	/**
	 * Does a part of the work that has no result, like
	 * {@link #step(String, Callable, Class)}.
	 * @param name names the step within the job
	 * @param work what to do
	 * @throws Exception like there
	 */
	default void step(String name, Step work) throws Exception {
		recordStep(name, () -> {
			work.run();
			return null;
		}, Object.class);
	}

	/**
	 * Records steps; the other methods lead here.
	 * @param name names the step within the job
	 * @param work what to do
	 * @param type what the result is read back as
	 * @return the result
	 * @throws Exception like there
	 */
	default @Nullable Object recordStep(String name, Callable<? extends @Nullable Object> work, Type type)
			throws Exception {
		return work.call();
	}

	/** A part of the work that has no result. */
	@FunctionalInterface
	interface Step {

		/**
		 * Does it.
		 * @throws Exception to fail the attempt
		 */
		void run() throws Exception;

	}

	/**
	 * What another job of the same flow returned, if its handler
	 * {@linkplain JobHandler#keepResult() keeps} results.
	 * @param <T> what to make of it
	 * @param name the name of that job in the flow
	 * @param type what to make of it
	 * @return the result; empty if there is none: that job has not succeeded, returned
	 * nothing, or its handler keeps no results
	 * @throws IllegalArgumentException if this job is in no flow that has such a job
	 * @throws PayloadConversionException if it cannot be read as such
	 */
	default <T> Optional<T> resultOf(String name, Class<T> type) {
		throw new UnsupportedOperationException("This context knows no other jobs");
	}

	/**
	 * What another job returned, if its handler {@linkplain JobHandler#keepResult()
	 * keeps} results: of one that this job ran after for about as long as failed jobs are
	 * kept, of any other for as long as finished jobs are.
	 * @param <T> what to make of it
	 * @param jobId the id of the job
	 * @param type what to make of it
	 * @return the result; empty if there is none, or no longer
	 * @throws PayloadConversionException if it cannot be read as such
	 */
	default <T> Optional<T> resultOf(long jobId, Class<T> type) {
		throw new UnsupportedOperationException("This context knows no other jobs");
	}

	/**
	 * The batch that the job is in, or that it runs after. Asks the database.
	 * @return the id of the batch, if there is one
	 */
	default OptionalLong batchId() {
		return OptionalLong.empty();
	}

}
