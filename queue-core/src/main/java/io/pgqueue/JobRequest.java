package io.pgqueue;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.LongStream;

import io.pgqueue.engine.support.RequestChecks;
import io.pgqueue.flow.Predecessors;
import io.pgqueue.flow.WhenFailed;
import io.pgqueue.limit.Limit;
import io.pgqueue.window.Window;
import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

/**
 * Describes a job to enqueue. Immutable: every method returns a changed copy.
 *
 * <pre class="code">
 * JobRequest.of("send-invoice", new Invoice(42)).queue("mail").priority(5).delay(Duration.ofMinutes(10))
 * </pre>
 *
 * What a request leaves open is taken from the {@link JobType} that is declared for its
 * type, or has the default that the method says.
 *
 * @since 0.1.0
 */
public final class JobRequest {

	/** The queue of a job that names none. */
	public static final String DEFAULT_QUEUE = "default";

	/** The most characters that a type or the name of a queue can have. */
	public static final int MAX_NAME_LENGTH = RequestChecks.MAX_NAME_LENGTH;

	/** The most characters that a unique key can have. */
	public static final int MAX_KEY_LENGTH = UniqueKey.MAX_LENGTH;

	/** The longest delay and the longest tolerance: a thousand years. */
	public static final Duration MAX_DELAY = RequestChecks.MAX_DELAY;

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

	private final String type;

	private final @Nullable Object payload;

	private final @Nullable String queue;

	private final @Nullable Integer priority;

	private final @Nullable Instant runAt;

	private final Duration delay;

	private final @Nullable Duration tolerance;

	private final @Nullable Integer maxAttempts;

	private final @Nullable UniqueKey unique;

	private final Predecessors predecessors;

	private final @Nullable String limitKey;

	private final @Nullable String window;

	private JobRequest(Draft draft) {
		this.type = draft.type;
		this.payload = draft.payload;
		this.queue = draft.queue;
		this.priority = draft.priority;
		this.runAt = draft.runAt;
		this.delay = draft.delay;
		this.tolerance = draft.tolerance;
		this.maxAttempts = draft.maxAttempts;
		this.unique = draft.unique;
		this.predecessors = draft.predecessors;
		this.limitKey = draft.limitKey;
		this.window = draft.window;
		Assert.isTrue(this.unique == null || this.predecessors.ids().isEmpty(),
				"a job that runs after others cannot have a unique key: what is found there would have to wait as well");
	}

	/**
	 * A job of the type, due at once, on the default queue.
	 * @param type names the work and with it the handler
	 * @param payload written as JSON, or {@code null}
	 * @return the request
	 */
	public static JobRequest of(String type, @Nullable Object payload) {
		RequestChecks.name("type", type);
		return new JobRequest(new Draft(type, payload));
	}

	/**
	 * A job of a declared type, with the type's defaults.
	 * @param <T> what the type's jobs carry
	 * @param type the type
	 * @param payload written as JSON, or {@code null}
	 * @return the request
	 * @throws IllegalArgumentException if a key cannot be derived from the payload
	 */
	public static <T> JobRequest of(JobType<T> type, @Nullable T payload) {
		return type.request(payload);
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
		RequestChecks.name("queue", queue);
		return with((draft) -> draft.queue = queue);
	}

	/**
	 * Gives the job a priority.
	 * @param priority a bigger number goes first; 0 is the default
	 * @return a changed copy
	 */
	public JobRequest priority(int priority) {
		RequestChecks.smallint("priority", Short.MIN_VALUE, priority);
		return with((draft) -> draft.priority = priority);
	}

	/**
	 * Makes the job due at a time.
	 * @param runAt compared to the database's clock; a time that has passed means now
	 * @return a changed copy, without a delay
	 */
	public JobRequest runAt(Instant runAt) {
		RequestChecks.time("runAt", runAt);
		return with((draft) -> {
			draft.runAt = runAt;
			draft.delay = Duration.ZERO;
		});
	}

	/**
	 * Makes the job due some time after the enqueue.
	 * @param delay counted by the database's clock, so that the clocks of the
	 * application's machines do not matter
	 * @return a changed copy, without a run-at
	 */
	public JobRequest delay(Duration delay) {
		RequestChecks.duration("delay", delay);
		return with((draft) -> {
			draft.runAt = null;
			draft.delay = delay;
		});
	}

	/**
	 * Lets the job wait behind more urgent ones of the same priority.
	 * @param tolerance how long it may wait once it is due
	 * @return a changed copy
	 */
	public JobRequest tolerance(Duration tolerance) {
		RequestChecks.duration("tolerance", tolerance);
		return with((draft) -> draft.tolerance = tolerance);
	}

	/**
	 * Limits the attempts.
	 * @param maxAttempts how often the job is tried, the first time included
	 * @return a changed copy
	 */
	public JobRequest maxAttempts(int maxAttempts) {
		RequestChecks.smallint("maxAttempts", 1, maxAttempts);
		return with((draft) -> draft.maxAttempts = maxAttempts);
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
		RequestChecks.name("limitKey", limitKey);
		return with((draft) -> draft.limitKey = limitKey);
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
		RequestChecks.name("window", window);
		return with((draft) -> draft.window = window);
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
		return with((draft) -> draft.predecessors = predecessors);
	}

	/**
	 * Returns the type, which names the work and with it the handler.
	 * @return the type
	 */
	public String type() {
		return this.type;
	}

	/**
	 * Returns what is written as JSON and handed to the handler.
	 * @return the payload, or {@code null} if the job has none
	 */
	public @Nullable Object payload() {
		return this.payload;
	}

	/**
	 * Returns the operational group that is watched, limited and paused together.
	 * @return the name of the queue, {@value #DEFAULT_QUEUE} unless one was given
	 */
	public String queue() {
		return (this.queue != null) ? this.queue : DEFAULT_QUEUE;
	}

	/**
	 * Returns the priority; a bigger number goes first.
	 * @return from -32768 to 32767, 0 unless one was given
	 */
	public int priority() {
		return (this.priority != null) ? this.priority : 0;
	}

	/**
	 * Returns when the job is due, by the database's clock.
	 * @return the time, or {@code null} if the job is due {@link #delay()} after the
	 * enqueue
	 */
	public @Nullable Instant runAt() {
		return this.runAt;
	}

	/**
	 * Returns how long after the enqueue the job is due, counted by the database.
	 * @return the delay, zero unless one was given
	 */
	public Duration delay() {
		return this.delay;
	}

	/**
	 * Returns how long the job may wait once it is due; jobs of one priority run in the
	 * order of due time plus tolerance.
	 * @return the tolerance, zero unless one was given
	 */
	public Duration tolerance() {
		return (this.tolerance != null) ? this.tolerance : Duration.ZERO;
	}

	/**
	 * Returns how often the job is tried before it is failed for good.
	 * @return the number of attempts, or {@code null} for the worker's default
	 */
	public @Nullable Integer maxAttempts() {
		return this.maxAttempts;
	}

	/**
	 * Returns the key that at most one job carries that waits or runs, and what happens
	 * to duplicates.
	 * @return the key, or {@code null} if the job has none
	 */
	public @Nullable UniqueKey unique() {
		return this.unique;
	}

	/**
	 * Returns the jobs that the job runs after.
	 * @return the predecessors, {@link Predecessors#NONE} unless some were given
	 */
	public Predecessors predecessors() {
		return this.predecessors;
	}

	/**
	 * Returns the key whose limit counts the job.
	 * @return the key, or {@code null} if the job has none
	 * @see #limitKey(String)
	 */
	public @Nullable String limitKey() {
		return this.limitKey;
	}

	/**
	 * Returns the window that the job runs in.
	 * @return the name of the window, or {@code null} if the job runs at any time
	 * @see #window(String)
	 */
	public @Nullable String window() {
		return this.window;
	}

	/**
	 * The unique key alone.
	 * @return the text of the key, or {@code null}
	 */
	public @Nullable String uniqueKey() {
		return (this.unique != null) ? this.unique.value() : null;
	}

	private JobRequest unique(UniqueKey unique) {
		return with((draft) -> draft.unique = unique);
	}

	private UniqueKey key(String what) {
		Assert.isTrue(this.unique != null, () -> what + " needs a key: call uniqueKey(…) before it");
		return Objects.requireNonNull(this.unique);
	}

	/** Returns a copy in which what this request leaves open is taken from the type. */
	<T> JobRequest orElse(JobType<T> declared) {
		@Nullable T value = declared.cast(this.payload);
		JobRequest others = declared.defaults();
		return with((draft) -> {
			draft.queue = either(this.queue, others.queue);
			draft.priority = either(this.priority, others.priority);
			draft.tolerance = either(this.tolerance, others.tolerance);
			draft.maxAttempts = either(this.maxAttempts, others.maxAttempts);
			draft.window = either(this.window, others.window);
			draft.limitKey = (this.limitKey != null) ? this.limitKey : declared.limitKey(value);
			draft.unique = (this.unique != null) ? this.unique : declared.unique(value);
			if (draft.limitKey != null) {
				RequestChecks.name("limitKey", draft.limitKey);
			}
		});
	}

	private static <V> @Nullable V either(@Nullable V first, @Nullable V second) {
		return (first != null) ? first : second;
	}

	private JobRequest with(Consumer<Draft> change) {
		Draft draft = new Draft(this);
		change.accept(draft);
		return new JobRequest(draft);
	}

	private List<@Nullable Object> values() {
		return Arrays.asList(this.type, this.payload, this.queue, this.priority, this.runAt, this.delay, this.tolerance,
				this.maxAttempts, this.unique, this.predecessors, this.limitKey, this.window);
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof JobRequest request && values().equals(request.values());
	}

	@Override
	public int hashCode() {
		return values().hashCode();
	}

	/** Names the type and where the job goes, never the payload, which may be secret. */
	@Override
	public String toString() {
		return "JobRequest[type=" + this.type + ", queue=" + queue() + "]";
	}

	/** The values of a copy before they are final. */
	private static final class Draft {

		private final String type;

		private final @Nullable Object payload;

		private @Nullable String queue;

		private @Nullable Integer priority;

		private @Nullable Instant runAt;

		private Duration delay = Duration.ZERO;

		private @Nullable Duration tolerance;

		private @Nullable Integer maxAttempts;

		private @Nullable UniqueKey unique;

		private Predecessors predecessors = Predecessors.NONE;

		private @Nullable String limitKey;

		private @Nullable String window;

		Draft(String type, @Nullable Object payload) {
			this.type = type;
			this.payload = payload;
		}

		Draft(JobRequest request) {
			this(request.type, request.payload);
			this.queue = request.queue;
			this.priority = request.priority;
			this.runAt = request.runAt;
			this.delay = request.delay;
			this.tolerance = request.tolerance;
			this.maxAttempts = request.maxAttempts;
			this.unique = request.unique;
			this.predecessors = request.predecessors;
			this.limitKey = request.limitKey;
			this.window = request.window;
		}

	}

}
