package io.pgqueue;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

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
 * All methods throw {@link PayloadConversionException} when a payload cannot be written
 * as JSON, before anything is sent to the database.
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
	 * Enqueues one job.
	 * @param request what to run, where and when
	 * @return the id of the job and whether it is new
	 */
	EnqueueResult enqueue(JobRequest request);

	/**
	 * Enqueues many jobs with one statement for each thousand, in one transaction: the
	 * caller's, or one of its own. If one job cannot be enqueued, none is.
	 * @param requests what to run
	 * @return one result for each request, in the same order
	 */
	List<EnqueueResult> enqueueAll(Collection<JobRequest> requests);

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
