package io.rowqueue;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.rowqueue.flow.Batch;
import io.rowqueue.flow.BatchProgress;
import io.rowqueue.flow.Flow;
import io.rowqueue.flow.FlowResult;
import io.rowqueue.step.SignalResult;
import org.jspecify.annotations.Nullable;

/**
 * Enqueues background jobs, and finds them again. A job is a row: if it is enqueued in a
 * transaction, it becomes visible to workers when the transaction commits, and does not
 * exist if the transaction is rolled back. Without a transaction, each call commits
 * separately.
 * <p>
 * A committed job is run at least once by a worker that has a handler for its type. If
 * the worker dies while it runs the job, another worker runs it again: handlers should be
 * idempotent, or use the {@linkplain JobContext#id() id} of the job to detect a
 * repetition.
 * <p>
 * All methods that enqueue throw {@link PayloadConversionException} if a payload cannot
 * be written as JSON, is larger than {@code rowqueue.max-payload-size}, or contains an
 * unpaired surrogate; the job has not been sent to the database then. A job whose type
 * has no handler in any worker waits until there is one.
 *
 * @since 0.1.0
 */
public interface JobQueue {

	/**
	 * Enqueues a job that is due at once. If the type is declared, its defaults apply;
	 * otherwise the queue is {@value JobRequest#DEFAULT_QUEUE} and the priority 0.
	 * @param type the name that connects the job with its handler; it should not depend
	 * on a class name, so that waiting jobs are still found after the class is renamed
	 * @param payload the argument of the handler, which is stored as JSON, or
	 * {@code null}
	 * @return the id of the job and what the enqueue did
	 */
	default EnqueueResult enqueue(String type, @Nullable Object payload) {
		return enqueue(JobRequest.of(type, payload));
	}

	/**
	 * Enqueues a job of a declared type, with the defaults of the type.
	 * @param <T> the type of the payload
	 * @param type the type
	 * @param payload the argument of the handler, which is stored as JSON, or
	 * {@code null}
	 * @return the id of the job and what the enqueue did
	 */
	default <T> EnqueueResult enqueue(JobType<T> type, @Nullable T payload) {
		return enqueue(type.request(payload));
	}

	/**
	 * Enqueues a job, or applies its {@linkplain JobRequest#duplicates policy for
	 * duplicates} if another job has its unique key. Waits for other transactions that
	 * are storing a job with the same key.
	 * @param request the job to enqueue
	 * @return the id of the job and what the enqueue did
	 * @throws org.springframework.dao.DataAccessException if the database rejects the job
	 * or is not available; in a transaction with the isolation {@code REPEATABLE READ} or
	 * higher, a {@link org.springframework.dao.ConcurrencyFailureException} if the key
	 * was taken or freed since the transaction began
	 * @throws JobQueueException if the transaction of the caller is read-only, or the
	 * property {@code rowqueue.enqueue.transaction} requires one and there is none
	 */
	EnqueueResult enqueue(JobRequest request);

	/**
	 * Enqueues several jobs, with one or two statements for each thousand, in one
	 * transaction: that of the caller, or a new one. Either all jobs are enqueued or
	 * none, also if the caller catches an exception and commits its transaction; a unique
	 * key that is taken does not count as a failure, unless the job
	 * {@linkplain DuplicatePolicy#reject() rejects} duplicates.
	 * @param requests the jobs to enqueue
	 * @return one result for each request, in the same order
	 */
	List<EnqueueResult> enqueueAll(Collection<JobRequest> requests);

	/**
	 * Enqueues any number of jobs, see {@link #enqueueAll(Stream, Consumer)}.
	 * @param requests the jobs to enqueue
	 * @return the number of requests
	 */
	default long enqueueAll(Stream<JobRequest> requests) {
		return enqueueAll(requests, (result) -> {
		});
	}

	/**
	 * Enqueues any number of jobs, with one or two statements for each thousand, in one
	 * transaction: that of the caller, or a new one, which begins before the second
	 * request is read. At most a thousand requests and their payloads are in memory at
	 * the same time.
	 * <p>
	 * If a request cannot be read or stored, or {@code results} throws an exception, this
	 * exception is thrown and no job is enqueued.
	 * @param requests the jobs to enqueue; the calling thread reads them once, in order,
	 * and does not close the stream
	 * @param results receives one result for each request, in the same order, before the
	 * transaction is committed
	 * @return the number of requests
	 */
	long enqueueAll(Stream<JobRequest> requests, Consumer<? super EnqueueResult> results);

	/**
	 * Enqueues the jobs of a flow, or the jobs that a running job
	 * {@linkplain Flow#addedBy adds} to its flow, in one transaction: that of the caller,
	 * or a new one. Either all of them are enqueued or none.
	 * @param flow the jobs and their dependencies
	 * @return the ids of the flow and of these jobs
	 * @throws IllegalArgumentException if the flow has no jobs, a job is to run after one
	 * that the flow does not have, or jobs wait for each other; the message names them
	 * @throws JobQueueException if the job that adds cannot do so, see
	 * {@link Flow#addedBy}
	 * @throws DuplicateJobException if a unique key of a job is taken and the job
	 * {@linkplain DuplicatePolicy#reject() rejects} duplicates
	 */
	FlowResult enqueue(Flow flow);

	/**
	 * Enqueues a batch, which is any number of jobs that are counted together, in one
	 * transaction: that of the caller, or a new one. Either all of it is enqueued or
	 * nothing. At most a thousand requests are in memory at the same time.
	 * @param batch the name of the batch and its callbacks
	 * @param jobs the jobs, which are read once, in order; the stream is not closed. A
	 * batch without jobs has finished at once, unless it is kept open
	 * @return the id of the batch
	 * @throws IllegalArgumentException if a job has a unique key and does not
	 * {@linkplain DuplicatePolicy#keep() keep} or {@linkplain DuplicatePolicy#reject()
	 * reject} duplicates. A job that is kept does not belong to the batch
	 */
	long enqueueBatch(Batch batch, Stream<JobRequest> jobs);

	/**
	 * Adds jobs to a batch that has not finished. A batch cannot finish while one of its
	 * jobs runs, nor while a transaction that adds jobs to it is open. A job can thus
	 * always add jobs to its own batch, see {@link JobContext#batchId()}.
	 * @param batchId the id of the batch
	 * @param jobs the jobs to add, as for {@link #enqueueBatch}
	 * @return how many jobs were added; a kept job is not
	 * @throws JobQueueException if the batch has finished or does not exist
	 */
	long addToBatch(long batchId, Stream<JobRequest> jobs);

	/**
	 * Closes a batch that was kept open, so that it finishes as soon as its jobs have
	 * finished.
	 * @param batchId the id of the batch
	 * @return whether the batch was open
	 */
	boolean closeBatch(long batchId);

	/**
	 * Returns the progress of a batch.
	 * @param batchId the id of the batch
	 * @return the progress; empty if the batch does not exist or is no longer retained
	 */
	Optional<BatchProgress> findBatch(long batchId);

	/**
	 * Sends a signal to a job, whose handler waits for it with
	 * {@link JobContext#awaitSignal(String, Class, Duration)} or will do so: in the
	 * transaction of the caller, or in a new one. Each job receives a name once; to
	 * repeat the call has no effect, unless the handler could not read the payload.
	 * @param jobId the id of the job, which may have been enqueued in the same
	 * transaction
	 * @param name the name of the signal within the job, at most 200 characters
	 * @param payload what the handler receives, which is stored as JSON, or {@code null}
	 * @return what the call did
	 * @throws PayloadConversionException as for the payload of a job
	 */
	SignalResult signal(long jobId, String name, @Nullable Object payload);

	/**
	 * Sends a signal to the job that has a unique key and has not failed, see
	 * {@link #signal(long, String, Object)}.
	 * @param uniqueKey the unique key of the job
	 * @param name the name of the signal within the job
	 * @param payload what the handler receives, or {@code null}
	 * @return what the call did
	 */
	SignalResult signal(String uniqueKey, String name, @Nullable Object payload);

	/**
	 * Finds a job by its id. Finished jobs are found as long as they are retained.
	 * @param id the id that {@code enqueue} returned
	 * @return a snapshot of the job; empty if it does not exist or is no longer retained
	 */
	Optional<Job> find(long id);

	/**
	 * Waits until a job has succeeded, failed permanently or been cancelled. The method
	 * blocks the calling thread, and suits tests, tools and jobs that take little longer
	 * than a request may. It queries the database after 10 milliseconds, then at
	 * intervals that double up to one second, and at once if the job finishes in this
	 * process. It holds no connection between the queries.
	 * @param id the id that {@code enqueue} returned, in a transaction that has committed
	 * @param timeout how long to wait; zero or less for a single query
	 * @return the finished job, or the unfinished one if the timeout has passed, see
	 * {@link JobState#isFinished()}; empty if the job was never committed or is no longer
	 * retained
	 * @throws JobQueueException if the transaction that has enqueued the job is still
	 * open on this thread: no worker can run the job before it commits
	 * @throws InterruptedException if the thread is interrupted while it waits
	 * @throws org.springframework.dao.DataAccessException if the database is not
	 * available
	 */
	Optional<Job> await(long id, Duration timeout) throws InterruptedException;

}
