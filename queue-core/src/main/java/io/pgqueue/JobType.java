package io.pgqueue;

import java.time.Duration;
import java.util.function.Function;

import io.pgqueue.engine.support.RequestChecks;
import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

/**
 * A type of jobs with what they carry and the defaults of their requests, declared once:
 *
 * <pre class="code">
 * static final JobType&lt;WelcomeMail&gt; WELCOME_MAIL = JobType.of("welcome-mail", WelcomeMail.class)
 *     .queue("mail").maxAttempts(5).uniqueKey((mail) -&gt; "welcome " + mail.userId());
 *
 * queue.enqueue(WELCOME_MAIL, new WelcomeMail(42, "Ada"));
 * </pre>
 *
 * The compiler checks the payload. What a {@link JobRequest} says itself takes precedence
 * over the defaults. A type that is also a bean of the application gives its defaults to
 * requests of this application that name it as a string, too; so do the defaults that
 * {@link JobHandler} names. Immutable: every method that sets a default returns a changed
 * copy.
 *
 * @param <T> what the payload of the jobs is
 * @since 0.1.0
 */
public final class JobType<T> {

	private final String name;

	private final Class<T> payloadType;

	private final JobRequest defaults;

	private final @Nullable Function<? super T, @Nullable String> limitKey;

	private final @Nullable Function<? super T, @Nullable String> uniqueKey;

	private final Duration uniqueFor;

	private final DuplicatePolicy duplicates;

	private JobType(JobType<T> type, JobRequest defaults) {
		this(type.name, type.payloadType, defaults, type.limitKey, type.uniqueKey, type.uniqueFor, type.duplicates);
	}

	private JobType(String name, Class<T> payloadType, JobRequest defaults,
			@Nullable Function<? super T, @Nullable String> limitKey,
			@Nullable Function<? super T, @Nullable String> uniqueKey, Duration uniqueFor, DuplicatePolicy duplicates) {
		this.name = name;
		this.payloadType = payloadType;
		this.defaults = defaults;
		this.limitKey = limitKey;
		this.uniqueKey = uniqueKey;
		this.uniqueFor = uniqueFor;
		this.duplicates = duplicates;
	}

	/**
	 * Declares a type without defaults.
	 * @param <T> what the payload of the jobs is
	 * @param name names the work and with it the handler; a stable string, so that a
	 * renamed class finds the jobs that are still waiting
	 * @param payloadType the class of the payloads
	 * @return the type
	 * @throws IllegalArgumentException if the name is not allowed
	 */
	public static <T> JobType<T> of(String name, Class<T> payloadType) {
		return new JobType<>(name, payloadType, JobRequest.of(name), null, null, Duration.ZERO, DuplicatePolicy.keep());
	}

	/**
	 * Puts the jobs on a queue.
	 * @param queue the name of the queue
	 * @return a changed copy
	 */
	public JobType<T> queue(String queue) {
		return new JobType<>(this, this.defaults.queue(queue));
	}

	/**
	 * Gives the jobs a priority.
	 * @param priority from -32768 to 32767; a bigger number goes first
	 * @return a changed copy
	 */
	public JobType<T> priority(int priority) {
		return new JobType<>(this, this.defaults.priority(priority));
	}

	/**
	 * Lets the jobs wait behind more urgent ones of the same priority.
	 * @param tolerance how long a job may wait once it is due
	 * @return a changed copy
	 */
	public JobType<T> tolerance(Duration tolerance) {
		return new JobType<>(this, this.defaults.tolerance(tolerance));
	}

	/**
	 * Limits the attempts.
	 * @param maxAttempts how often a job is tried, the first time included
	 * @return a changed copy
	 */
	public JobType<T> maxAttempts(int maxAttempts) {
		return new JobType<>(this, this.defaults.maxAttempts(maxAttempts));
	}

	/**
	 * Runs the jobs only while a window is open, see {@link JobRequest#window(String)}.
	 * @param window the name of the window
	 * @return a changed copy
	 */
	public JobType<T> window(String window) {
		return new JobType<>(this, this.defaults.window(window));
	}

	/**
	 * Derives the limit key of a job from its payload, see
	 * {@link JobRequest#limitKey(String)}.
	 * @param key returns the key; {@code null}: the job has none
	 * @return a changed copy
	 */
	public JobType<T> limitKey(Function<? super T, @Nullable String> key) {
		return new JobType<>(this.name, this.payloadType, this.defaults, key, this.uniqueKey, this.uniqueFor,
				this.duplicates);
	}

	/**
	 * Derives the unique key of a job from its payload, see
	 * {@link JobRequest#uniqueKey(String)}. A request that has a unique key of its own
	 * takes nothing of {@link #uniqueFor} and {@link #duplicates}, either.
	 * @param key returns the key; {@code null}: the job has none
	 * @return a changed copy
	 */
	public JobType<T> uniqueKey(Function<? super T, @Nullable String> key) {
		return new JobType<>(this.name, this.payloadType, this.defaults, this.limitKey, key, this.uniqueFor,
				this.duplicates);
	}

	/**
	 * Keeps the unique key taken for a while after a job has succeeded, see
	 * {@link JobRequest#uniqueFor(Duration)}.
	 * @param keptFor how long
	 * @return a changed copy
	 * @throws IllegalArgumentException if the type has no unique key
	 */
	public JobType<T> uniqueFor(Duration keptFor) {
		RequestChecks.duration("uniqueFor", keptFor);
		checkUniqueKey("uniqueFor");
		return new JobType<>(this.name, this.payloadType, this.defaults, this.limitKey, this.uniqueKey, keptFor,
				this.duplicates);
	}

	/**
	 * Says what happens when another job has the unique key, see
	 * {@link JobRequest#duplicates(DuplicatePolicy)}.
	 * @param policy the policy
	 * @return a changed copy
	 * @throws IllegalArgumentException if the type has no unique key
	 */
	public JobType<T> duplicates(DuplicatePolicy policy) {
		RequestChecks.present("duplicates", policy);
		checkUniqueKey("duplicates");
		return new JobType<>(this.name, this.payloadType, this.defaults, this.limitKey, this.uniqueKey, this.uniqueFor,
				policy);
	}

	private void checkUniqueKey(String what) {
		Assert.isTrue(this.uniqueKey != null, () -> what + " needs a key: call uniqueKey(…) before it");
	}

	/**
	 * Returns the name, which requests and handlers may also give as a string.
	 * @return the name
	 */
	public String name() {
		return this.name;
	}

	/**
	 * Returns the class of the payloads.
	 * @return the class
	 */
	public Class<T> payloadType() {
		return this.payloadType;
	}

	/**
	 * Creates a request with all defaults.
	 * @param payload written as JSON, or {@code null}
	 * @return the request
	 * @throws IllegalArgumentException if a key cannot be derived from the payload
	 */
	public JobRequest request(@Nullable T payload) {
		return DefaultJobRequest.withDefaults(JobRequest.of(this.name, payload), this);
	}

	/**
	 * Gives a request the defaults for what it leaves open.
	 * @param request a request of this type
	 * @return the request with the defaults
	 * @throws IllegalArgumentException if the request is of another type, its payload is
	 * of another class, or a key cannot be derived from the payload
	 */
	public JobRequest applyTo(JobRequest request) {
		Assert.isTrue(request.type().equals(this.name),
				() -> "a request of the type '" + request.type() + "' is none of '" + this.name + "'");
		return DefaultJobRequest.withDefaults(request, this);
	}

	@Nullable T cast(@Nullable Object payload) {
		Assert.isTrue(payload == null || this.payloadType.isInstance(payload),
				() -> "The jobs of the type '%s' carry %s, not %s".formatted(this.name, this.payloadType.getName(),
						(payload != null) ? payload.getClass().getName() : null));
		return this.payloadType.cast(payload);
	}

	/** What the requests leave open is open here as well. */
	JobRequest defaults() {
		return this.defaults;
	}

	@Nullable String limitKey(@Nullable T payload) {
		return key("limit key", this.limitKey, payload);
	}

	@Nullable UniqueKey unique(@Nullable T payload) {
		String key = key("unique key", this.uniqueKey, payload);
		return (key != null) ? new UniqueKey(key, this.uniqueFor, this.duplicates) : null;
	}

	private @Nullable String key(String what, @Nullable Function<? super T, @Nullable String> key,
			@Nullable T payload) {
		if (key == null) {
			return null;
		}
		Assert.isTrue(payload != null,
				() -> "A job of the type '%s' needs a payload: its %s is derived from it".formatted(this.name, what));
		return key.apply(payload);
	}

	@Override
	public String toString() {
		return "JobType[" + this.name + ", " + this.payloadType.getName() + "]";
	}

}
