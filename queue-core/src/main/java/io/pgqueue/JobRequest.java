package io.pgqueue;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.stream.LongStream;

import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

/**
 * Describes a job to enqueue. Immutable: every method returns a changed copy.
 *
 * <pre class="code">
 * JobRequest.of("send-invoice", new Invoice(42)).queue("mail").priority(5).delay(Duration.ofMinutes(10))
 * </pre>
 *
 * @param type names the work and with it the handler
 * @param payload written as JSON and handed to the handler, or {@code null}
 * @param queue the operational group that is watched, limited and paused together
 * @param priority a bigger number goes first, from -32768 to 32767
 * @param runAt when the job is due, by the database's clock; {@code null}: now plus
 * {@code delay}
 * @param delay how long after the enqueue the job is due, counted by the database
 * @param tolerance how long the job may wait once it is due; inside one priority jobs run
 * in the order of {@code due + tolerance}
 * @param maxAttempts how often the job is tried before it is failed for good;
 * {@code null}: the worker's default
 * @param unique at most one job that is waiting or running carries this key; {@code null}
 * for none
 * @param predecessors the jobs that it is to run after
 * @param limitKey how many jobs that carry this key run at once is limited in the whole
 * cluster, see {@link #limitKey(String)}; {@code null} for none
 * @param window the job runs only while this window is open, see {@link #window(String)};
 * {@code null}: at any time
 * @since 0.1.0
 */
public record JobRequest(String type, @Nullable Object payload, String queue, int priority, @Nullable Instant runAt,
		Duration delay, Duration tolerance, @Nullable Integer maxAttempts, @Nullable UniqueKey unique,
		Predecessors predecessors, @Nullable String limitKey, @Nullable String window) {

	/** The queue of a job that names none. */
	public static final String DEFAULT_QUEUE = "default";

	/** The most characters that a type or the name of a queue can have. */
	public static final int MAX_NAME_LENGTH = 200;

	/** The most characters that a unique key can have. */
	public static final int MAX_KEY_LENGTH = UniqueKey.MAX_LENGTH;

	/** The longest delay and the longest tolerance: a thousand years. */
	public static final Duration MAX_DELAY = Duration.ofDays(365_000);

	/** Keeps a unique key taken for good, see {@link #uniqueFor}: a thousand years. */
	public static final Duration FOREVER = MAX_DELAY;

	/**
	 * Checks the name of a queue, a type or anything else that logs, meters and pages
	 * show: from 1 to {@value #MAX_NAME_LENGTH} characters, not blank, and no control
	 * characters, line separators or characters that change the direction of text.
	 * @param what begins the message
	 * @param name the name
	 * @throws IllegalArgumentException telling what is wrong
	 */
	public static void checkName(String what, String name) {
		RequestChecks.name(what, name);
	}

	/**
	 * Checks every value.
	 * @throws IllegalArgumentException naming the value that is wrong and what is allowed
	 */
	public JobRequest {
		RequestChecks.name("type", type);
		RequestChecks.name("queue", queue);
		RequestChecks.smallint("priority", Short.MIN_VALUE, priority);
		RequestChecks.duration("delay", delay);
		RequestChecks.duration("tolerance", tolerance);
		Assert.isTrue(runAt == null || delay.isZero(), "give runAt or delay, not both");
		if (runAt != null) {
			RequestChecks.time("runAt", runAt);
		}
		if (maxAttempts != null) {
			RequestChecks.smallint("maxAttempts", 1, maxAttempts);
		}
		Assert.isTrue(unique == null || predecessors.ids().isEmpty(),
				"a job that runs after others cannot have a unique key: what is found there would have to wait as well");
		if (limitKey != null) {
			RequestChecks.name("limitKey", limitKey);
		}
		if (window != null) {
			RequestChecks.name("window", window);
		}
	}

	/**
	 * A job of the type, due at once, on the default queue.
	 * @param type names the work and with it the handler
	 * @param payload written as JSON, or {@code null}
	 * @return the request
	 */
	public static JobRequest of(String type, @Nullable Object payload) {
		return new JobRequest(type, payload, DEFAULT_QUEUE, 0, null, Duration.ZERO, Duration.ZERO, null, null,
				Predecessors.NONE, null, null);
	}

	/**
	 * A job of the type that needs no payload.
	 * @param type names the work and with it the handler
	 * @return the request
	 */
	public static JobRequest of(String type) {
		return of(type, null);
	}

	/**
	 * Puts the job on a queue.
	 * @param queue the name of the queue
	 * @return a changed copy
	 */
	public JobRequest queue(String queue) {
		return new JobRequest(this.type, this.payload, queue, this.priority, this.runAt, this.delay, this.tolerance,
				this.maxAttempts, this.unique, this.predecessors, this.limitKey, this.window);
	}

	/**
	 * Gives the job a priority.
	 * @param priority a bigger number goes first; 0 is the default
	 * @return a changed copy
	 */
	public JobRequest priority(int priority) {
		return new JobRequest(this.type, this.payload, this.queue, priority, this.runAt, this.delay, this.tolerance,
				this.maxAttempts, this.unique, this.predecessors, this.limitKey, this.window);
	}

	/**
	 * Makes the job due at a time.
	 * @param runAt compared to the database's clock; a time that has passed means now
	 * @return a changed copy, without a delay
	 */
	public JobRequest runAt(Instant runAt) {
		return new JobRequest(this.type, this.payload, this.queue, this.priority, runAt, Duration.ZERO, this.tolerance,
				this.maxAttempts, this.unique, this.predecessors, this.limitKey, this.window);
	}

	/**
	 * Makes the job due some time after the enqueue.
	 * @param delay counted by the database's clock, so that the clocks of the
	 * application's machines do not matter
	 * @return a changed copy, without a run-at
	 */
	public JobRequest delay(Duration delay) {
		return new JobRequest(this.type, this.payload, this.queue, this.priority, null, delay, this.tolerance,
				this.maxAttempts, this.unique, this.predecessors, this.limitKey, this.window);
	}

	/**
	 * Lets the job wait behind more urgent ones of the same priority.
	 * @param tolerance how long it may wait once it is due
	 * @return a changed copy
	 */
	public JobRequest tolerance(Duration tolerance) {
		return new JobRequest(this.type, this.payload, this.queue, this.priority, this.runAt, this.delay, tolerance,
				this.maxAttempts, this.unique, this.predecessors, this.limitKey, this.window);
	}

	/**
	 * Limits the attempts.
	 * @param maxAttempts how often the job is tried, the first time included
	 * @return a changed copy
	 */
	public JobRequest maxAttempts(int maxAttempts) {
		return new JobRequest(this.type, this.payload, this.queue, this.priority, this.runAt, this.delay,
				this.tolerance, maxAttempts, this.unique, this.predecessors, this.limitKey, this.window);
	}

	/**
	 * Limits how many jobs that carry this key run at once in the whole cluster: one, or
	 * what the {@link Limit} of the key's class says, which is what stands before its
	 * first colon. The others wait, in order of priority and deadline, and are in
	 * nobody's way.
	 * @param limitKey any text, such as {@code customer:42}, at most
	 * {@value #MAX_NAME_LENGTH} characters
	 * @return a changed copy
	 */
	public JobRequest limitKey(String limitKey) {
		return new JobRequest(this.type, this.payload, this.queue, this.priority, this.runAt, this.delay,
				this.tolerance, this.maxAttempts, this.unique, this.predecessors, limitKey, this.window);
	}

	/**
	 * Runs the job only while a {@link Window} is open. If it is closed when the job is
	 * enqueued, the job is due when it opens; one whose turn comes only after it has
	 * closed is put off to the next opening, which costs no attempt. Enqueueing fails if
	 * there is no such window; when it is removed later, the job runs at any time.
	 * @param window the name of the window
	 * @return a changed copy
	 */
	public JobRequest window(String window) {
		return new JobRequest(this.type, this.payload, this.queue, this.priority, this.runAt, this.delay,
				this.tolerance, this.maxAttempts, this.unique, this.predecessors, this.limitKey, window);
	}

	/**
	 * Makes sure that no second job with this key waits or runs: enqueueing one leaves
	 * the job that is there as it is and returns its id, unless {@link #duplicates} asks
	 * for something else. The key is free again as soon as the job has ended, whether it
	 * succeeded, failed for good or was cancelled, unless {@link #uniqueFor} keeps it.
	 * @param uniqueKey any text, the same for jobs that are the same work, at most
	 * {@value UniqueKey#MAX_LENGTH} characters
	 * @return a changed copy
	 */
	public JobRequest uniqueKey(String uniqueKey) {
		return unique(new UniqueKey(uniqueKey, (this.unique != null) ? this.unique.keptFor() : Duration.ZERO,
				(this.unique != null) ? this.unique.duplicates() : DuplicatePolicy.keep()));
	}

	/**
	 * Keeps the unique key taken for a while after the job has succeeded, so that the
	 * same work is not done twice however often it is enqueued. A job that fails for good
	 * or is cancelled gives its key back at once.
	 * @param keptFor how long, counted by the database from the success on;
	 * {@link #FOREVER} is a thousand years; zero, the default, keeps it not at all
	 * @return a changed copy
	 * @throws IllegalArgumentException if the job has no unique key
	 */
	public JobRequest uniqueFor(Duration keptFor) {
		UniqueKey key = key("uniqueFor");
		return unique(new UniqueKey(key.value(), keptFor, key.duplicates()));
	}

	/**
	 * Says what happens when another job has the unique key.
	 * @param duplicates the policy; {@link DuplicatePolicy#keep()} is the default
	 * @return a changed copy
	 * @throws IllegalArgumentException if the job has no unique key
	 */
	public JobRequest duplicates(DuplicatePolicy duplicates) {
		UniqueKey key = key("duplicates");
		return unique(new UniqueKey(key.value(), key.keptFor(), duplicates));
	}

	/**
	 * Lets the job wait until others have succeeded: it is blocked until then, and due at
	 * its time, but not before. A job that is over already, and one that is no longer
	 * kept where history is not kept of all queues, counts as what it was; any other
	 * unknown id is refused by the enqueue. Of a job that was enqueued in another
	 * transaction the end may be noticed half a second late.
	 * @param jobIds the ids of the jobs; those that were given before stay
	 * @return a changed copy
	 * @throws IllegalArgumentException if the job has a unique key
	 */
	public JobRequest after(long... jobIds) {
		return after(this.predecessors.and(LongStream.of(jobIds).boxed().toList()));
	}

	/**
	 * Says what becomes of the job when one that it is to run after does not succeed.
	 * @param whenFailed the policy; {@link WhenFailed#FAIL} is the default
	 * @return a changed copy
	 */
	public JobRequest whenFailed(WhenFailed whenFailed) {
		return after(new Predecessors(this.predecessors.ids(), whenFailed));
	}

	private JobRequest after(Predecessors predecessors) {
		return new JobRequest(this.type, this.payload, this.queue, this.priority, this.runAt, this.delay,
				this.tolerance, this.maxAttempts, this.unique, predecessors, this.limitKey, this.window);
	}

	/**
	 * The unique key alone.
	 * @return the text of the key, or {@code null}
	 */
	public @Nullable String uniqueKey() {
		return (this.unique != null) ? this.unique.value() : null;
	}

	private JobRequest unique(UniqueKey unique) {
		return new JobRequest(this.type, this.payload, this.queue, this.priority, this.runAt, this.delay,
				this.tolerance, this.maxAttempts, unique, this.predecessors, this.limitKey, this.window);
	}

	private UniqueKey key(String what) {
		Assert.isTrue(this.unique != null, () -> what + " needs a key: call uniqueKey(…) before it");
		return Objects.requireNonNull(this.unique);
	}

}
