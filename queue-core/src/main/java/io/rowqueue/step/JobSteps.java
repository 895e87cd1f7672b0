package io.rowqueue.step;

import java.lang.reflect.Type;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

import io.rowqueue.FailJobException;
import io.rowqueue.JobContext;
import io.rowqueue.JobHandler;
import io.rowqueue.JobQueue;
import io.rowqueue.JobQueueException;
import io.rowqueue.JobRequest;
import io.rowqueue.SnoozeJobException;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ParameterizedTypeReference;

/**
 * The steps of a job's work, and the waits between them: what a later attempt continues
 * instead of beginning again. Handlers call these methods on their {@link JobContext}.
 *
 * @since 0.1.0
 */
public interface JobSteps {

	/** The maximum number of jobs that a handler can wait for at once. */
	int MAX_AWAITED_JOBS = 1000;

	/**
	 * Runs a step of the work, unless an earlier attempt of this job has completed it.
	 * The result of a completed step is recorded, and returned by all later calls with
	 * the same name in this attempt and in later ones. A handler that fails late thus
	 * continues where it stopped.
	 * <p>
	 * A step is repeated if its process dies after the step has finished but before it
	 * was recorded. A step that is called in a transaction of the queue's database is
	 * recorded in that transaction: what the step has written in it and the record are
	 * committed together, or not at all. In a transaction of another database, it is
	 * recorded after the commit. In both cases, the step is repeated if the transaction
	 * is rolled back, also by a wait. Records are kept until the job has succeeded or was
	 * cancelled; a job that failed permanently keeps them.
	 * <p>
	 * Outside of a worker, for example in a unit test, a step runs its work and records
	 * nothing.
	 * @param <T> the type of the result
	 * @param name the name of the step within the job, at most 200 characters; in a loop
	 * it must identify the iteration
	 * @param work the work
	 * @param type the class that a recorded result is mapped to
	 * @return the result, or {@code null} if the work returned {@code null}
	 * @throws FailJobException if the result cannot be written as JSON, or is larger than
	 * 1 MB (1,048,576 bytes) of JSON
	 * @throws JobQueueException if the lease was lost, and nothing was recorded; or if
	 * the recorded result cannot be read as the type, which is also tried when the step
	 * is recorded
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
	 * @throws JobQueueException if the signal has no payload, or the payload cannot be
	 * mapped to the class, so that the next signal with this name replaces it; or if the
	 * lease was lost
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

	/**
	 * Waits without holding a slot until other jobs have ended, in the same way as
	 * {@link #awaitSignal(String, Class, Duration)}: the attempt ends, and the handler is
	 * called again from its beginning when the last of them has succeeded, failed
	 * permanently or been cancelled, or when the time has passed. A job that is retried,
	 * postponed or waits itself has not ended.
	 * <p>
	 * The outcomes are recorded like the result of a {@linkplain #step step}, so that
	 * later attempts see the same. Results are available as
	 * {@link JobContext#resultOf(long, Class)}.
	 * <p>
	 * The jobs may have ended before. They must be in the database of this job, and their
	 * enqueue must be committed: enqueue them in a {@linkplain #step step}, outside of a
	 * transaction that the wait rolls back.
	 * @param name the name of the wait within the job, at most 200 characters; in a loop
	 * it must identify the iteration
	 * @param timeout how long to wait, from the first call with this name, by the
	 * database's clock, at most {@link JobRequest#MAX_DELAY}; zero or less: not at all
	 * @param ids the ids of the jobs, at most {@value #MAX_AWAITED_JOBS}
	 * @return one outcome for each id, in the same order; of a job that has not ended in
	 * time, the state in which it was
	 * @throws SnoozeJobException to end the attempt; do not catch it
	 * @throws IllegalArgumentException if there are too many ids
	 * @throws JobQueueException if there is no such job in the database of this one, if
	 * one of them is this job or waits for it, or if the lease was lost
	 */
	default List<JobOutcome> awaitJobs(String name, Duration timeout, long... ids) {
		throw new UnsupportedOperationException("This context has no access to other jobs");
	}

	/**
	 * Waits until other jobs have ended, however long that takes, see
	 * {@link #awaitJobs(String, Duration, long...)}.
	 * @param name the name of the wait within the job
	 * @param ids the ids of the jobs, at most {@value #MAX_AWAITED_JOBS}
	 * @return one outcome for each id, in the same order
	 */
	default List<JobOutcome> awaitJobs(String name, long... ids) {
		return awaitJobs(name, JobRequest.MAX_DELAY, ids);
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

}
