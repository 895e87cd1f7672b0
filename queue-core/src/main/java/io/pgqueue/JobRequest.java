package io.pgqueue;

import java.time.Duration;
import java.time.Instant;

import io.pgqueue.engine.support.RequestChecks;
import io.pgqueue.flow.Predecessors;
import io.pgqueue.flow.WhenFailed;
import io.pgqueue.limit.Limit;
import io.pgqueue.window.Window;
import org.jspecify.annotations.Nullable;

/**
 * Describes a job to enqueue. Immutable: every method that sets a value returns a changed
 * copy, and throws {@link IllegalArgumentException} if the value is not allowed.
 *
 * <pre class="code">
 * JobRequest.of("send-invoice", new Invoice(42)).queue("mail").priority(5).delay(Duration.ofMinutes(10))
 * </pre>
 *
 * Values that are not set are taken from the {@link JobType} that is declared for the
 * type of the job, or have the default that the method names.
 *
 * @since 0.1.0
 */
public sealed interface JobRequest permits DefaultJobRequest {

	/** The queue of a job whose request does not name one. */
	String DEFAULT_QUEUE = "default";

	/** The maximum length of a type or the name of a queue, in characters. */
	int MAX_NAME_LENGTH = RequestChecks.MAX_NAME_LENGTH;

	/** The maximum delay and the maximum tolerance: a thousand years. */
	Duration MAX_DELAY = RequestChecks.MAX_DELAY;

	/** Keeps a unique key taken permanently, see {@link #uniqueFor}: a thousand years. */
	Duration FOREVER = MAX_DELAY;

	/**
	 * Creates a request for a job that is due at once, on the default queue.
	 * @param type the name that connects the job with its handler, from 1 to
	 * {@value #MAX_NAME_LENGTH} characters
	 * @param payload the argument of the handler, which is stored as JSON, or
	 * {@code null}
	 * @return the request
	 */
	static JobRequest of(String type, @Nullable Object payload) {
		RequestChecks.name("type", type);
		return new DefaultJobRequest(new JobRequestValues(type, payload));
	}

	/**
	 * Creates a request for a job of a declared type, with the defaults of the type.
	 * @param <T> the type of the payload
	 * @param type the type
	 * @param payload the argument of the handler, which is stored as JSON, or
	 * {@code null}
	 * @return the request
	 * @throws IllegalArgumentException if a key cannot be derived from the payload
	 */
	static <T> JobRequest of(JobType<T> type, @Nullable T payload) {
		return type.request(payload);
	}

	/**
	 * Creates a request for a job without a payload that is due at once, on the default
	 * queue.
	 * @param type the name that connects the job with its handler
	 * @return the request
	 */
	static JobRequest of(String type) {
		return of(type, null);
	}

	/**
	 * Sets the queue of the job.
	 * @param queue the name of the queue; {@value #DEFAULT_QUEUE} by default
	 * @return a changed copy
	 */
	JobRequest queue(String queue);

	/**
	 * Sets the priority of the job.
	 * @param priority from -32768 to 32767; jobs with a higher number start first; 0 by
	 * default
	 * @return a changed copy
	 */
	JobRequest priority(int priority);

	/**
	 * Sets the time at which the job is due, and removes a delay.
	 * @param runAt the time by the database's clock; the job is due at once if it has
	 * passed
	 * @return a changed copy
	 */
	JobRequest runAt(Instant runAt);

	/**
	 * Sets how long after the enqueue the job is due, and removes a run-at time.
	 * @param delay the time, which the database adds to its own clock; the clocks of the
	 * application's machines do not matter
	 * @return a changed copy
	 */
	JobRequest delay(Duration delay);

	/**
	 * Sets how long the job may wait once it is due. Jobs of one priority start in the
	 * order of due time plus tolerance.
	 * @param tolerance the time; zero by default
	 * @return a changed copy
	 */
	JobRequest tolerance(Duration tolerance);

	/**
	 * Sets the maximum number of attempts, after which the job has failed permanently. By
	 * default the options of the handler decide, or those of the worker.
	 * @param maxAttempts from 1 to 32767, including the first attempt
	 * @return a changed copy
	 */
	JobRequest maxAttempts(int maxAttempts);

	/**
	 * Limits how many jobs with this key run at the same time in the whole cluster: one,
	 * or as many as the {@link Limit} of the key's class allows. The class of a key is
	 * the part before its first colon. Other jobs with the key wait in order of priority
	 * and deadline, and do not delay jobs without it.
	 * @param limitKey any text, such as {@code customer:42}, of at most
	 * {@value #MAX_NAME_LENGTH} characters
	 * @return a changed copy
	 */
	JobRequest limitKey(String limitKey);

	/**
	 * Runs the job only while a {@link Window} is open. If the window is closed at the
	 * time of the enqueue, the job is due when it opens. If it closes before the job
	 * starts, the job is postponed to the next opening, which uses up no attempt. The
	 * enqueue fails if the window does not exist; if the window is removed later, the job
	 * runs at any time.
	 * @param window the name of the window
	 * @return a changed copy
	 */
	JobRequest window(String window);

	/**
	 * Ensures that at most one job with this key waits or runs. An enqueue with a taken
	 * key does not change the existing job and returns its id, unless {@link #duplicates}
	 * sets another policy. The key is free again as soon as the job has succeeded, failed
	 * permanently or been cancelled, unless {@link #uniqueFor} keeps it.
	 * @param uniqueKey any text that identifies the work, of at most
	 * {@value UniqueKey#MAX_LENGTH} characters
	 * @return a changed copy
	 */
	JobRequest uniqueKey(String uniqueKey);

	/**
	 * Keeps the unique key taken for some time after the job has succeeded, so that the
	 * same work is not repeated if it is enqueued again. A job that has failed
	 * permanently or was cancelled releases its key at once.
	 * @param keptFor the time from the success on, by the database's clock; zero by
	 * default; {@link #FOREVER} is a thousand years
	 * @return a changed copy
	 * @throws IllegalArgumentException if the job has no unique key
	 */
	JobRequest uniqueFor(Duration keptFor);

	/**
	 * Sets what the enqueue does if another job has the unique key.
	 * @param duplicates the policy; {@link DuplicatePolicy#keep()} by default
	 * @return a changed copy
	 * @throws IllegalArgumentException if the job has no unique key
	 */
	JobRequest duplicates(DuplicatePolicy duplicates);

	/**
	 * Blocks the job until other jobs have succeeded; it is then due, but not before its
	 * own time. A predecessor that has already finished counts with its final state, also
	 * if it is no longer kept because its queue keeps no history. The enqueue fails for
	 * any other unknown id. If a predecessor was enqueued in another transaction, its end
	 * may be noticed half a second late.
	 * @param jobIds the ids of the jobs, in addition to those that are set already
	 * @return a changed copy
	 * @throws IllegalArgumentException if the job has a unique key
	 */
	JobRequest after(long... jobIds);

	/**
	 * Sets what happens to the job if one of its predecessors does not succeed.
	 * @param whenFailed the policy; {@link WhenFailed#FAIL} by default
	 * @return a changed copy
	 */
	JobRequest whenFailed(WhenFailed whenFailed);

	/** Returns the name that connects the job with its handler. */
	String type();

	/** Returns the argument of the handler, or {@code null} if the job has no payload. */
	@Nullable Object payload();

	/** Returns the queue, {@value #DEFAULT_QUEUE} by default. */
	String queue();

	/** Returns the priority, 0 by default. */
	int priority();

	/** Returns when the job is due, or {@code null} if {@link #delay()} decides. */
	@Nullable Instant runAt();

	/** Returns how long after the enqueue the job is due, zero by default. */
	Duration delay();

	/** Returns how long the job may wait once it is due, zero by default. */
	Duration tolerance();

	/** Returns the maximum number of attempts, or {@code null} if it is not set. */
	@Nullable Integer maxAttempts();

	/** Returns the unique key with its policies, or {@code null} if there is none. */
	@Nullable UniqueKey unique();

	/** Returns the jobs to run after, {@link Predecessors#NONE} by default. */
	Predecessors predecessors();

	/** Returns the limit key, or {@code null} if there is none. */
	@Nullable String limitKey();

	/** Returns the name of the window, or {@code null} if the job runs at any time. */
	@Nullable String window();

	/** Returns the text of the unique key, or {@code null} if there is none. */
	@Nullable String uniqueKey();

}
