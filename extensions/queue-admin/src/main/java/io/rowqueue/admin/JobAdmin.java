package io.rowqueue.admin;

import java.util.Collection;
import java.util.List;
import java.util.Map;

import io.rowqueue.JobLogLine;
import io.rowqueue.control.JobControl;
import io.rowqueue.masking.TextMasker;
import io.rowqueue.step.JobWait;
import io.rowqueue.step.RecordedStep;

/**
 * The administration of jobs and queues: explains why a job does not run, shows what it
 * has left, and changes workers, beside the changes of {@link JobControl}. All calls
 * apply to the whole cluster. Explanations and lists show what is committed.
 *
 * @since 0.1.0
 */
public interface JobAdmin extends JobControl {

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
	 * Has the worker that runs a job write to the log of the job where the thread of its
	 * handler is now: its stack trace, up to 4,000 characters, at the level {@code INFO}.
	 * The line is there after about two seconds, unless the handler has ended by then.
	 * Texts are masked as those that the handler logs. Of several requests for jobs of a
	 * worker within a second, the latest is answered.
	 * @param jobId the id of the job
	 * @return whether a live worker holds the job
	 */
	boolean logStack(long jobId);

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
