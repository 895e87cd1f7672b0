package io.rowqueue;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;

import io.rowqueue.engine.support.RequestChecks;
import io.rowqueue.flow.Predecessors;
import io.rowqueue.flow.WhenFailed;
import io.rowqueue.limit.Limit;
import org.jspecify.annotations.Nullable;

/**
 * Describes a job to enqueue. Immutable: each method that sets a value returns a copy.
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
public final class JobRequest extends JobOptions<JobRequest> {

	private JobRequest(JobRequestValues values) {
		super(values);
	}

	/**
	 * Creates a request for a job that is due at once, on the default queue. See
	 * {@link JobType#request} for a type with defaults.
	 * @param type the name that connects the job with its handler, from 1 to
	 * {@value #MAX_NAME_LENGTH} characters
	 * @param payload the argument of the handler, stored as JSON, or {@code null}
	 * @return the request
	 */
	public static JobRequest of(String type, @Nullable Object payload) {
		RequestChecks.name("type", type);
		return new JobRequest(new JobRequestValues(type, payload));
	}

	/**
	 * Creates a request for a job without a payload, see {@link #of(String, Object)}.
	 * @param type the name that connects the job with its handler
	 * @return the request
	 */
	public static JobRequest of(String type) {
		return of(type, null);
	}

	/**
	 * Sets the time at which the job is due, and removes a delay.
	 * @param runAt the time by the database's clock, which may have passed
	 * @return a changed copy
	 */
	public JobRequest runAt(Instant runAt) {
		return with((copy) -> copy.runAt(runAt));
	}

	/**
	 * Sets how long after the enqueue the job is due, and removes a run-at time.
	 * @param delay the time, which the database adds to its own clock
	 * @return a changed copy
	 */
	public JobRequest delay(Duration delay) {
		return with((copy) -> copy.delay(delay));
	}

	/**
	 * Postpones the job by a random part of a span, so that many jobs that have the same
	 * time are not due at the same time. The span begins when the job would be due
	 * otherwise. The jobs of one call, such as {@link JobQueue#enqueueAll} or
	 * {@link JobQueue#enqueueBatch}, are spread evenly.
	 * @param span the span, zero by default; {@link #expiresIn} does not move with it
	 * @return a changed copy
	 */
	public JobRequest spreadOver(Duration span) {
		return with((copy) -> copy.spreadOver(span));
	}

	/**
	 * Limits how many jobs with this key run at the same time in the whole cluster: one,
	 * or as many as the {@link Limit} of the key's class allows, which is the part before
	 * its first colon. The others wait in order of priority and deadline. Replaces a
	 * limit key that was set before.
	 * @param limitKey any text, such as {@code customer:42}, of at most
	 * {@value #MAX_NAME_LENGTH} characters
	 * @return a changed copy
	 */
	public JobRequest limitKey(String limitKey) {
		return limitKey(limitKey, 1);
	}

	/**
	 * As {@link #limitKey(String)}, for a job that takes several units of the limit, such
	 * as one that makes five calls at a time of an API that accepts ten. A job with more
	 * units than the limit counts as the whole limit.
	 * @param limitKey any text, such as {@code api:mail}, of at most
	 * {@value #MAX_NAME_LENGTH} characters
	 * @param units how many units of the limit the job takes, from 1 to 10000; tokens if
	 * the limit has a rate
	 * @return a changed copy
	 */
	public JobRequest limitKey(String limitKey, int units) {
		return with((copy) -> copy.limitKey(limitKey, units));
	}

	/**
	 * Shares the workers fairly between the jobs with this key and those with other keys,
	 * among due jobs of the same queue, type and priority. A million jobs of one key do
	 * not delay a few jobs of another one, while each key may use all workers if no other
	 * one needs them. Each key gets the same share, unless
	 * {@link io.rowqueue.limit.JobLimits#setWeight} gives it a weight. Jobs without a key
	 * keep their place in time, and the tolerance has no effect.
	 * <p>
	 * Besides a {@linkplain #limitKey(String) limit key}, the key shares the workers
	 * between the jobs that their limits admit. These are admitted in the order of their
	 * deadlines: give each fairness key a limit key of its own, such as a maximum for
	 * each tenant.
	 * @param fairnessKey any text, such as {@code tenant:42}, of at most 195 characters
	 * @return a changed copy
	 */
	public JobRequest fairnessKey(String fairnessKey) {
		return with((copy) -> copy.fairnessKey(fairnessKey));
	}

	/**
	 * Ensures that at most one job with this key waits or runs. An enqueue with a taken
	 * key does not change the existing job and returns its id, unless {@link #duplicates}
	 * sets another policy. The key is free again as soon as the job has succeeded, failed
	 * permanently or been cancelled, unless {@link #uniqueFor} keeps it.
	 * @param uniqueKey any text that identifies the work, of at most
	 * {@value UniqueKey#MAX_LENGTH} characters
	 * @return a changed copy
	 */
	public JobRequest uniqueKey(String uniqueKey) {
		return with((copy) -> copy.uniqueKey(uniqueKey));
	}

	/**
	 * Runs the job when no other one with the unique key was enqueued for some time, with
	 * the latest payload: each enqueue replaces the waiting job and postpones it.
	 * @param delay the time since the latest enqueue
	 * @param atMost the maximum time since the first enqueue, so that frequent enqueues
	 * do not postpone the job forever
	 * @return a changed copy
	 */
	public JobRequest debounce(Duration delay, Duration atMost) {
		return delay(delay).duplicates(DuplicatePolicy.replace(atMost));
	}

	/**
	 * Blocks the job until other jobs have succeeded; it is then due, but not before its
	 * own time. A predecessor that has finished counts with its final state, even if its
	 * queue keeps no history. The enqueue fails for any other unknown id. The end of a
	 * predecessor from another transaction may be noticed half a second late.
	 * @param jobIds the ids of the jobs, in addition to those that are set already
	 * @return a changed copy
	 * @throws IllegalArgumentException if the job has a unique key
	 */
	public JobRequest after(long... jobIds) {
		return with((copy) -> copy.after(jobIds));
	}

	/**
	 * Sets what happens to the job if one of its predecessors does not succeed.
	 * @param whenFailed the policy; {@link WhenFailed#FAIL} by default
	 * @return a changed copy
	 */
	public JobRequest whenFailed(WhenFailed whenFailed) {
		return with((copy) -> copy.whenFailed(whenFailed));
	}

	/**
	 * Keeps the job in the database, also if a message broker carries other jobs of its
	 * type: it can be found, awaited, cancelled and followed by other jobs from the
	 * enqueue on. Has no effect on other types.
	 * @return a changed copy
	 */
	public JobRequest inDatabase() {
		return with((copy) -> copy.inDatabase = true);
	}

	/**
	 * Cancels the job if its first attempt has not begun by this time.
	 * @param expiresAt the time by the database's clock; see {@link #expiresIn}
	 * @return a changed copy
	 */
	public JobRequest expiresAt(Instant expiresAt) {
		return with((copy) -> copy.expiresAt(expiresAt));
	}

	/**
	 * Adds tags, which the job is found by, also when it has finished.
	 * @param tags any texts, such as {@code customer:42}, of at most
	 * {@value #MAX_NAME_LENGTH} characters; at most 20 for a job
	 * @return a changed copy
	 */
	public JobRequest tags(String... tags) {
		return with((copy) -> copy.tags(Arrays.asList(tags)));
	}

	/**
	 * Sets a header: a text that the handler can read, see {@link JobContext#headers()},
	 * and that the job is found by, also when it has finished.
	 * @param name the name, of at most 100 characters
	 * @param value the value, of at most 400 characters
	 * @return a changed copy
	 * @throws IllegalArgumentException if the queue itself uses the name
	 */
	public JobRequest header(String name, String value) {
		return with((copy) -> copy.header(name, value));
	}

	/**
	 * Enqueues another job if this one fails permanently, in the transaction that ends
	 * it: also if its process dies in the last attempt, or a predecessor fails. If the
	 * job is retried and fails again, another one is enqueued.
	 * @param request the job, without unique key, predecessors, {@code expiresAt} and
	 * {@code onFailure}; its handler finds this one by {@link JobContext#failedJobId()}
	 * @return a changed copy
	 */
	public JobRequest onFailure(JobRequest request) {
		return with((copy) -> copy.onFailure(request));
	}

	/** Returns the name that connects the job with its handler. */
	public String type() {
		return this.values.type;
	}

	/** Returns the argument of the handler, or {@code null} if the job has no payload. */
	public @Nullable Object payload() {
		return this.values.payload;
	}

	/** Returns when the job is due, or {@code null} if {@link #delay()} decides. */
	public @Nullable Instant runAt() {
		return this.values.runAt;
	}

	/** Returns how long after the enqueue the job is due, zero by default. */
	public Duration delay() {
		return this.values.delay;
	}

	/** Returns the span of the due time, zero by default, see {@link #spreadOver}. */
	public Duration spreadOver() {
		return this.values.spread;
	}

	/** Returns the unique key with its policies, or {@code null} if there is none. */
	public @Nullable UniqueKey unique() {
		return this.values.unique;
	}

	/**
	 * Returns whether the enqueue derives the unique key, see {@link #uniqueByPayload()};
	 * until then, {@link #unique()} has the policies only.
	 */
	public boolean isUniqueByPayload() {
		return this.values.uniqueByPayload;
	}

	/** Returns the jobs to run after, {@link Predecessors#NONE} by default. */
	public Predecessors predecessors() {
		return this.values.predecessors;
	}

	/**
	 * Returns the limit key, or {@code null}. A fairness key without a limit key begins
	 * with {@code fair:}.
	 */
	public @Nullable String limitKey() {
		return this.values.limitKey;
	}

	/** Returns the fairness key, or {@code null}. */
	public @Nullable String fairnessKey() {
		return this.values.fairnessKey;
	}

	/** Returns how many units of the limit of its key the job takes. */
	public int limitUnits() {
		return this.values.limitUnits;
	}

	/** Returns whether the job is kept in the database, see {@link #inDatabase()}. */
	public boolean isInDatabase() {
		return this.values.inDatabase;
	}

	/** Returns when the job expires, or {@code null}, see {@link #expiresIn()}. */
	public @Nullable Instant expiresAt() {
		return this.values.expiresAt;
	}

	/** Returns the tags. */
	public Set<String> tags() {
		return this.values.tags;
	}

	/** Returns the headers that were set for the job. */
	public Map<String, String> headers() {
		return this.values.headers;
	}

	/** Returns the job that a permanent failure enqueues, or {@code null}. */
	public @Nullable JobRequest onFailure() {
		return this.values.onFailure;
	}

	@Override
	JobRequest with(JobRequestValues values) {
		return new JobRequest(values);
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof JobRequest request && this.values.list().equals(request.values.list());
	}

	@Override
	public int hashCode() {
		return this.values.list().hashCode();
	}

	/** Names the type and the queue. Omits the payload, which may be secret. */
	@Override
	public String toString() {
		return "JobRequest[type=" + type() + ", queue=" + queue() + "]";
	}

}
