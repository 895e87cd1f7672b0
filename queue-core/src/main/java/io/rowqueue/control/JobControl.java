package io.rowqueue.control;

import java.time.Duration;
import java.util.List;

import io.rowqueue.JobType;
import org.jspecify.annotations.Nullable;

/**
 * Changes jobs that are enqueued, and pauses queues and types. All calls apply to the
 * whole cluster. Changes are part of the caller's transaction if there is one on the data
 * source of the queue: they become visible with its commit, and a rollback undoes them.
 * Otherwise each one commits separately.
 *
 * @since 0.1.0
 */
public interface JobControl {

	/**
	 * Names a job by its id, to find and change it.
	 * @param id the id of the job, which need not exist
	 * @return the reference
	 */
	JobReference job(long id);

	/**
	 * Names the job that has a unique key, to find and change it.
	 * @param uniqueKey the key, which no job need have
	 * @return the reference
	 */
	JobReference job(String uniqueKey);

	/**
	 * Names the job of a type that has a unique key, to find and change it. A job of
	 * another type with the key is not found.
	 * @param type the type, whose payloads have its class
	 * @param uniqueKey the key, which no job need have
	 * @return the reference
	 */
	JobReference job(JobType<?> type, String uniqueKey);

	/**
	 * Cancels a job: at once if it waits or has failed, otherwise by asking its handler
	 * to stop. In a transaction of the caller, the handler is asked after the commit.
	 * Transactions that cancel several jobs should do so in the order of their ids: in
	 * different orders, two of them can deadlock.
	 * @param id the id of the job
	 * @return the result of the request
	 */
	CancelResult cancel(long id);

	/**
	 * Deletes a job with all its traces: payload, result, errors, steps, progress, tags,
	 * headers and a kept unique key, also from the history. A job that waits is cancelled
	 * first, so that jobs that run after it, its batch and its flow are notified. The
	 * names of the job in its flow and its id in the record of operations remain.
	 * @param id the id of the job
	 * @return the result of the request
	 */
	EraseResult erase(long id);

	/**
	 * Queues a failed job again, with the full number of attempts. Jobs that failed
	 * because of this one wait for it again.
	 * @param id the id of the job
	 * @return the result of the request
	 */
	RetryResult retry(long id);

	/**
	 * Queues a failed job again, so that it repeats one of its recorded steps and all
	 * steps that were recorded after it. The steps before it are kept. An attempt that is
	 * still running under an earlier lease records nothing that counts. Signals that the
	 * job has received are kept; it sleeps again where it slept after the step.
	 * @param id the id of the job
	 * @param step the name of the first step to repeat
	 * @return the result of the request; unless the job was retried, no step is forgotten
	 */
	RetryResult retryFromStep(long id, String step);

	/**
	 * Queues all failed jobs again, except those whose unique key is taken by another
	 * job. Outside of a transaction of the caller, some hundred of them are committed
	 * together.
	 * @param queue the queue of the jobs, or {@code null} for all queues
	 * @param type the type of the jobs, or {@code null} for all types
	 * @return how many jobs are queued again
	 */
	int retryAll(@Nullable String queue, @Nullable String type);

	/**
	 * Changes the due time of a waiting job.
	 * @param id the id of the job
	 * @param delay the time from now until the job is due, by the database's clock, at
	 * most 365000 days
	 * @return whether the job was waiting
	 */
	boolean reschedule(long id, Duration delay);

	/**
	 * Changes the priority of a waiting job.
	 * @param id the id of the job
	 * @param priority from -32768 to 32767; jobs with a higher number start first
	 * @return whether the job was waiting
	 */
	boolean prioritize(long id, int priority);

	/**
	 * Releases a unique key that is kept, so that a job with this key can be enqueued. A
	 * job that waits or runs has its key until it has ended.
	 * @param uniqueKey the key
	 * @return whether it was kept
	 */
	boolean releaseKey(String uniqueKey);

	/**
	 * Pauses a queue: no worker claims its jobs until it is resumed. Running jobs
	 * continue.
	 * @param queue the name of the queue, or of a class of queues, such as
	 * {@code closing:*}: of all whose names begin with {@code closing:}, also of those
	 * that do not exist yet
	 * @param reason the reason, for other administrators, or {@code null}
	 * @return {@code false} if the queue is already paused, and keeps its reason
	 */
	boolean pauseQueue(String queue, @Nullable String reason);

	/**
	 * Resumes a paused queue. A class of queues is resumed by its own name: a queue waits
	 * until neither it nor its class is paused.
	 * @param queue the name of the queue or class, as it was paused
	 * @return whether it was paused
	 */
	boolean resumeQueue(String queue);

	/**
	 * Pauses a type: no worker claims its jobs until it is resumed. Running jobs
	 * continue.
	 * @param type the type
	 * @param reason the reason, for other administrators, or {@code null}
	 * @return {@code false} if the type is already paused, and keeps its reason
	 */
	boolean pauseType(String type, @Nullable String reason);

	/**
	 * Resumes a paused type. Workers notice this at their next poll.
	 * @param type the type
	 * @return whether it was paused
	 */
	boolean resumeType(String type);

	/**
	 * Lists what is paused.
	 * @return queues, then types, ordered by name
	 */
	List<Pause> pauses();

}
