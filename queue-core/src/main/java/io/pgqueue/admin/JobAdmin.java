package io.pgqueue.admin;

import java.time.Duration;
import java.util.List;

import io.pgqueue.FailedAttempt;
import org.jspecify.annotations.Nullable;

/**
 * What people do to jobs and queues. Every call commits on its own and holds for the
 * whole cluster.
 *
 * @since 0.1.0
 */
public interface JobAdmin {

	/**
	 * Tells why a job is not running: one reason, the facts that it follows from, and an
	 * estimate where there is one. It changes nothing.
	 * @param id the job
	 * @return the explanation, also if there is no such job
	 */
	Explanation explain(long id);

	/**
	 * Does the same for somebody who may not see everything.
	 * @param id the job
	 * @param masker decides what is shown, in the sentences as well as in the facts
	 * @return the explanation, also if there is no such job
	 */
	Explanation explain(long id, TextMasker masker);

	/**
	 * Cancels a job: at once if it waits or has failed, else its worker is told.
	 * @param id the job
	 * @return what became of the request
	 */
	CancelResult cancel(long id);

	/**
	 * Queues a failed job again, with all its attempts before it. Jobs that failed
	 * because this one did wait for it again.
	 * @param id the job
	 * @return what became of the request
	 */
	RetryResult retry(long id);

	/**
	 * Queues all failed jobs again, except those whose unique key another job has taken.
	 * @param queue only of this queue, or {@code null} for all
	 * @param type only of this type, or {@code null} for all
	 * @return how many are queued again
	 */
	int retryAll(@Nullable String queue, @Nullable String type);

	/**
	 * Moves a waiting job to another time.
	 * @param id the job
	 * @param delay how long from now it is due, by the database's clock, at most 365000
	 * days
	 * @return whether the job was waiting
	 */
	boolean reschedule(long id, Duration delay);

	/**
	 * Gives a waiting job another priority.
	 * @param id the job
	 * @param priority a bigger number goes first, from -32768 to 32767
	 * @return whether the job was waiting
	 */
	boolean prioritize(long id, int priority);

	/**
	 * Lets no worker claim jobs of a queue until it is resumed. What runs goes on.
	 * @param queue the name of the queue
	 * @param reason for those who wonder, or {@code null}
	 * @return false if it was paused already; that reason stays
	 */
	boolean pauseQueue(String queue, @Nullable String reason);

	/**
	 * Lets a queue be claimed again.
	 * @param queue the name of the queue
	 * @return whether it was paused
	 */
	boolean resumeQueue(String queue);

	/**
	 * Lets no worker claim jobs of a type until it is resumed. What runs goes on.
	 * @param type the type
	 * @param reason for those who wonder, or {@code null}
	 * @return false if it was paused already; that reason stays
	 */
	boolean pauseType(String type, @Nullable String reason);

	/**
	 * Lets a type be claimed again; workers notice when they poll.
	 * @param type the type
	 * @return whether it was paused
	 */
	boolean resumeType(String type);

	/**
	 * Whether anything is known of a queue: a living worker has slots of its own for it,
	 * or the latest measurement found jobs of it. Whoever pauses one that is not known
	 * may have misspelled its name.
	 * @param queue the name of the queue
	 * @return false also for a queue that is new
	 */
	boolean isKnownQueue(String queue);

	/**
	 * Whether anything is known of a type: a living worker has a handler for it, or the
	 * latest measurement found jobs of it that nobody runs.
	 * @param type the type
	 * @return false also for a type that is new
	 */
	boolean isKnownType(String type);

	/**
	 * What is paused.
	 * @return queues, then types, by name
	 */
	List<Pause> pauses();

	/**
	 * Due jobs that wait because no living worker has a handler for their type and slots
	 * for their queue. A process that stops, a type that was renamed and a deployment in
	 * which the enqueuing side came first all show here; the jobs wait, and no worker
	 * touches them.
	 * @return by queue and type; empty if all waiting jobs can be run
	 */
	List<UnhandledJobs> unhandled();

	/**
	 * The steps of a job that are done, as {@code JobContext.step} has recorded them.
	 * @param id the job
	 * @return the first one first; empty if it has none or is over
	 */
	List<RecordedStep> steps(long id);

	/**
	 * The failed attempts of a job.
	 * @param id the job
	 * @return the first one first; empty if none failed, or they are no longer kept
	 */
	List<FailedAttempt> failures(long id);

}
