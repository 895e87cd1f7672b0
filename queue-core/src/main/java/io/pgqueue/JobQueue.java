package io.pgqueue;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.pgqueue.flow.Batch;
import io.pgqueue.flow.BatchProgress;
import io.pgqueue.flow.Flow;
import io.pgqueue.flow.FlowResult;
import org.jspecify.annotations.Nullable;

/**
 * The place to put background work. A job is a row: enqueued inside a transaction, it
 * becomes visible to workers when the transaction commits and never existed when it rolls
 * back. Without a transaction every call commits on its own.
 * <p>
 * A committed job is run at least once by some worker that has a handler for its type. A
 * job whose worker dies in the middle is run again; make handlers idempotent, or use the
 * job's {@linkplain JobContext#id() id} to recognise a repetition.
 * <p>
 * All methods that enqueue throw {@link PayloadConversionException} when a payload cannot
 * be written as JSON, is bigger than {@code pgqueue.max-payload-size}, or contains half a
 * character; nothing of it has been sent to the database then. A job of a type that no
 * worker has a handler for waits until one has.
 *
 * @since 0.1.0
 */
public interface JobQueue {

	/**
	 * Enqueues one job that is due at once, on the queue
	 * {@value JobRequest#DEFAULT_QUEUE} with priority 0.
	 * @param type names the work and with it the handler; a stable string, not a class
	 * name, so that a renamed class finds the jobs that are still waiting
	 * @param payload written as JSON and handed to the handler; {@code null} for none
	 * @return the id of the job
	 */
	default EnqueueResult enqueue(String type, @Nullable Object payload) {
		return enqueue(JobRequest.of(type, payload));
	}

	/**
	 * Enqueues one job of a declared type, with the type's defaults.
	 * @param <T> what the type's jobs carry
	 * @param type the type
	 * @param payload written as JSON and handed to the handler; {@code null} for none
	 * @return the id of the job and what was done
	 */
	default <T> EnqueueResult enqueue(JobType<T> type, @Nullable T payload) {
		return enqueue(type.request(payload));
	}

	/**
	 * Enqueues one job, or does what its {@linkplain JobRequest#duplicates policy} says
	 * if another job has its unique key. Waits for a transaction that is storing a job
	 * with the same key.
	 * @param request what to run, where and when
	 * @return the id of the job and what was done
	 * @throws org.springframework.dao.DataAccessException if the database refuses or is
	 * away; in a transaction with an isolation of {@code REPEATABLE READ} or higher a
	 * {@link org.springframework.dao.ConcurrencyFailureException} if the key was taken or
	 * freed since it began
	 */
	EnqueueResult enqueue(JobRequest request);

	/**
	 * Enqueues many jobs with one or two statements for each thousand, in one
	 * transaction: the caller's, or one of its own. If one job cannot be enqueued, none
	 * is; a unique key that is taken is no reason.
	 * @param requests what to run
	 * @return one result for each request, in the same order
	 */
	List<EnqueueResult> enqueueAll(Collection<JobRequest> requests);

	/**
	 * Enqueues any number of jobs like {@link #enqueueAll(Stream, Consumer)}.
	 * @param requests what to run
	 * @return how many requests there were
	 */
	default long enqueueAll(Stream<JobRequest> requests) {
		return enqueueAll(requests, (result) -> {
		});
	}

	/**
	 * Enqueues any number of jobs with one or two statements for each thousand, in one
	 * transaction: the caller's, or one of its own, which begins before more than the
	 * first request is read. It holds no more than a thousand requests and their payloads
	 * in memory.
	 * <p>
	 * If reading or storing one fails, its exception is thrown and no transaction of its
	 * own is committed. In a transaction of the caller's the jobs before it are stored
	 * already: let the exception roll it back.
	 * @param requests what to run; read once, in order, by this thread, and not closed
	 * @param results called with one result for each request, in the same order, before
	 * the transaction has been committed
	 * @return how many requests there were
	 */
	long enqueueAll(Stream<JobRequest> requests, Consumer<? super EnqueueResult> results);

	/**
	 * Enqueues the jobs of a flow, in one transaction: the caller's, or one of its own.
	 * @param flow what to run after what
	 * @return the ids of the flow and of its jobs
	 * @throws IllegalArgumentException if the flow has no jobs, one is to run after a
	 * step that it does not have, or some wait for each other; the message names them
	 */
	FlowResult enqueue(Flow flow);

	/**
	 * Enqueues any number of jobs that are counted together, in one transaction: the
	 * caller's, or one of its own. It holds no more than a thousand requests in memory.
	 * @param batch its name, and what runs when it is over
	 * @param jobs its jobs, without unique keys; read once, in order, and not closed;
	 * none: the batch is over at once, unless it is kept open
	 * @return the id of the batch
	 * @throws IllegalArgumentException if a job has a unique key: it might stand for one
	 * that is in no batch
	 */
	long enqueueBatch(Batch batch, Stream<JobRequest> jobs);

	/**
	 * Adds jobs to a batch that is not over. A batch cannot be over while one of its jobs
	 * runs, so that a job can always add to its own: see {@link JobContext#batchId()}.
	 * Nor while a transaction that adds to it has not ended.
	 * @param batchId the id of the batch
	 * @param jobs what to add, without unique keys
	 * @return how many there were
	 * @throws JobQueueException if the batch is over, or there is none
	 */
	long addToBatch(long batchId, Stream<JobRequest> jobs);

	/**
	 * Lets a batch that was kept open be over as soon as its jobs are.
	 * @param batchId the id of the batch
	 * @return whether it was open
	 */
	boolean closeBatch(long batchId);

	/**
	 * Tells how far a batch is.
	 * @param batchId the id of the batch
	 * @return its progress; empty if there is none, or it is no longer kept
	 */
	Optional<BatchProgress> findBatch(long batchId);

	/**
	 * Finds a job by its id, finished ones included for as long as they are retained.
	 * @param id the id that {@code enqueue} returned
	 * @return the job as it is now
	 */
	Optional<Job> find(long id);

	/**
	 * Waits until a job is over: succeeded, failed for good, or cancelled. Looks after 10
	 * milliseconds, then after twice the time and so on, up to once a second, and at once
	 * when the job ends in this process. Between two looks it holds no connection of its
	 * own. For tests and tools, and where a job takes little longer than a request may: a
	 * thread is held meanwhile.
	 * @param id the id that {@code enqueue} returned, committed
	 * @param timeout how long to wait; zero or less: look once
	 * @return the job, over, or as it is when the time has passed: see
	 * {@link JobState#isOver()}; empty if there is no such job: it was never committed,
	 * or is no longer kept
	 * @throws JobQueueException if it is called in the transaction that has enqueued the
	 * job, which no worker can run before that commits
	 * @throws InterruptedException if the thread is interrupted while it waits
	 * @throws org.springframework.dao.DataAccessException if the database is away
	 */
	Optional<Job> await(long id, Duration timeout) throws InterruptedException;

}
