package io.rowqueue.admin;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;

import io.rowqueue.FailedAttempt;
import io.rowqueue.JobLogLine;
import io.rowqueue.JobType;
import io.rowqueue.admin.masking.TextMasker;
import io.rowqueue.step.JobWait;
import io.rowqueue.step.RecordedStep;
import org.jspecify.annotations.Nullable;

/**
 * The administration of jobs and queues. All calls apply to the whole cluster. Changes
 * are part of the caller's transaction if there is one on the data source of the queue:
 * they become visible with its commit, and a rollback undoes them. Otherwise each one
 * commits separately. Explanations and lists show what is committed.
 *
 * @since 0.1.0
 */
public interface JobAdmin {

	/** The maximum number of slots that a queue can be given at run time. */
	int MAX_SLOTS = 10_000;

	/**
	 * Explains why a job is not running: the reason and the facts that led to it. Changes
	 * nothing.
	 * @param id the id of the job
	 * @return the explanation, also if the job does not exist
	 */
	Explanation explain(long id);

	/**
	 * Explains why a job is not running, for a reader who may not see all data.
	 * @param id the id of the job
	 * @param masker decides what is shown, in sentences as well as in facts
	 * @return the explanation, also if the job does not exist
	 */
	Explanation explain(long id, TextMasker masker);

	/**
	 * Explains why the jobs of a list are not running, with a fixed number of statements.
	 * It does not count how many jobs are ahead of each, and does not look for row locks:
	 * {@link #explain} does.
	 * @param ids the ids of the jobs, at most {@value JobSearch#MAX_PAGE}
	 * @param masker decides what is shown, in sentences as well as in facts
	 * @return the explanations by id, also of jobs that do not exist
	 */
	Map<Long, Explanation> explainAll(Collection<Long> ids, TextMasker masker);

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
	 * Queues a failed job again, so that it repeats one of its {@linkplain #steps
	 * recorded steps} and all steps that were recorded after it. The steps before it are
	 * kept. An attempt that is still running under an earlier lease records nothing that
	 * counts. Signals that the job has received are kept; it sleeps again where it slept
	 * after the step.
	 * @param id the id of the job
	 * @param step the name of the first step to repeat
	 * @return the result of the request; unless the job was retried, no step is forgotten
	 */
	RetryResult retryFromStep(long id, String step);

	/**
	 * Queues all failed jobs again, except those whose unique key is taken by another
	 * job.
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
	 * @param queue the name of the queue
	 * @param reason the reason, for other administrators, or {@code null}
	 * @return {@code false} if the queue is already paused, and keeps its reason
	 */
	boolean pauseQueue(String queue, @Nullable String reason);

	/**
	 * Resumes a paused queue.
	 * @param queue the name of the queue
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
	 * Lets a worker claim no more jobs until it is resumed or restarted, for example
	 * before its host is maintained. Jobs that run go on; jobs that it has claimed and
	 * not started are released. The worker notices this with its next heartbeat, within
	 * about a second. If it is declared dead, the new worker of its process is quiet as
	 * well.
	 * @param workerId the id of the worker
	 * @return whether it will, or is quiet already
	 */
	WorkerResult quietWorker(long workerId);

	/**
	 * Lets a quiet worker claim jobs again.
	 * @param workerId the id of the worker
	 * @return whether it will, or was not quiet
	 */
	WorkerResult resumeWorker(long workerId);

	/**
	 * Changes how many jobs of a queue a worker runs at once. Jobs that run go on, also
	 * if they are more than the new number. The worker notices this with its next
	 * heartbeat, within about a second. The number applies until the process of the
	 * worker ends; after that, its properties apply again.
	 * @param workerId the id of the worker
	 * @param queue the name of a queue that has slots of its own in the worker, or
	 * {@code *} for the slots of all other queues
	 * @param slots the number of jobs, from 1 to {@value #MAX_SLOTS}
	 * @return whether it will, or has this number already, or no such slots
	 * @throws IllegalArgumentException if the number is not allowed; to let a worker
	 * claim no jobs, use {@link #quietWorker}, to stop a queue, {@link #pauseQueue}
	 */
	WorkerResult changeSlots(long workerId, String queue, int slots);

	/**
	 * Restarts a worker within its process: it claims no more jobs, those that run may
	 * finish within the shutdown timeout, all others are released, and the process
	 * registers a new worker with a new id. The worker notices this with its next
	 * heartbeat, within about a second. This opens new sessions and threads; beans and
	 * properties of the application stay as they are.
	 * @param workerId the id of the worker
	 * @return whether it will, or was about to restart already
	 */
	WorkerResult restartWorker(long workerId);

	/**
	 * Returns whether a queue is known: a live worker has separate slots for it, or the
	 * latest measurement found jobs of it. If a queue to be paused is not known, its name
	 * may be misspelled.
	 * @param queue the name of the queue
	 * @return whether it is known; {@code false} also for a new queue
	 */
	boolean isKnownQueue(String queue);

	/**
	 * Returns whether a type is known: a live worker has a handler for it, or the latest
	 * measurement found jobs of it that no worker can run.
	 * @param type the type
	 * @return whether it is known; {@code false} also for a new type
	 */
	boolean isKnownType(String type);

	/**
	 * Lists what is paused.
	 * @return queues, then types, ordered by name
	 */
	List<Pause> pauses();

	/**
	 * Lists due jobs that wait because no live worker has a handler for their type and
	 * slots for their queue. This may be the case after a process has stopped, a type was
	 * renamed, or the application that enqueues was deployed before the one with the
	 * handler. The jobs wait unchanged until a worker can run them.
	 * @return the jobs by queue and type; empty if all waiting jobs can be run
	 */
	List<UnhandledJobs> unhandled();

	/**
	 * Lists the recorded steps of a job, see {@code JobContext.step}.
	 * @param id the id of the job
	 * @return the steps in the order in which they were recorded; empty if there are
	 * none, or the job has succeeded or been cancelled
	 */
	List<RecordedStep> steps(long id);

	/**
	 * Returns what the handler of a job has logged for it.
	 * @param id the id of the job
	 * @return the latest lines, the oldest first, at most 500
	 * @see io.rowqueue.JobContext#log()
	 */
	List<JobLogLine> log(long id);

	/**
	 * Lists what the handler of a job waits for or has waited for, and the signals that
	 * were sent to the job, see {@code JobContext.awaitSignal}.
	 * @param id the id of the job
	 * @return the waits and signals in order; empty if there are none, or the job has
	 * succeeded or been cancelled
	 */
	List<JobWait> waits(long id);

	/**
	 * Lists the failed attempts of a job.
	 * @param id the id of the job
	 * @return the attempts in order; empty if none has failed, or they are no longer
	 * retained
	 */
	List<FailedAttempt> failures(long id);

}
