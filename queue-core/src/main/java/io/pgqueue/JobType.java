package io.pgqueue;

import java.time.Duration;
import java.util.function.Function;

import io.pgqueue.engine.support.RequestChecks;
import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

/**
 * A type of jobs with the class of its payload and the defaults of its requests, declared
 * once:
 *
 * <pre class="code">
 * static final JobType&lt;WelcomeMail&gt; WELCOME_MAIL = JobType.of("welcome-mail", WelcomeMail.class)
 *     .queue("mail").maxAttempts(5).uniqueKey((mail) -&gt; "welcome " + mail.userId());
 *
 * queue.enqueue(WELCOME_MAIL, new WelcomeMail(42, "Ada"));
 * </pre>
 *
 * The compiler checks the payload. Values of a {@link JobRequest} take precedence over
 * the defaults. If the type is also a bean of the application, its defaults apply to
 * requests of this application that name the type as a string as well; the same is true
 * of the defaults in {@link JobHandler}. Immutable: every method that sets a default
 * returns a changed copy, and throws {@link IllegalArgumentException} if the value is not
 * allowed.
 *
 * @param <T> the type of the payload
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
	 * @param <T> the type of the payload
	 * @param name the name that connects jobs with their handler; it should not depend on
	 * a class name, so that waiting jobs are still found after the class is renamed
	 * @param payloadType the class of the payload
	 * @return the type
	 * @throws IllegalArgumentException if the name is not allowed
	 */
	public static <T> JobType<T> of(String name, Class<T> payloadType) {
		return new JobType<>(name, payloadType, JobRequest.of(name), null, null, Duration.ZERO, DuplicatePolicy.keep());
	}

	/**
	 * Sets the queue of the jobs.
	 * @param queue the name of the queue
	 * @return a changed copy
	 */
	public JobType<T> queue(String queue) {
		return new JobType<>(this, this.defaults.queue(queue));
	}

	/**
	 * Sets the priority of the jobs.
	 * @param priority from -32768 to 32767; jobs with a higher number start first
	 * @return a changed copy
	 */
	public JobType<T> priority(int priority) {
		return new JobType<>(this, this.defaults.priority(priority));
	}

	/**
	 * Sets how long the jobs may wait once they are due, see
	 * {@link JobRequest#tolerance(Duration)}.
	 * @param tolerance the time
	 * @return a changed copy
	 */
	public JobType<T> tolerance(Duration tolerance) {
		return new JobType<>(this, this.defaults.tolerance(tolerance));
	}

	/**
	 * Sets the maximum number of attempts.
	 * @param maxAttempts from 1 to 32767, including the first attempt
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
	 * @param key returns the key, or {@code null} if the job has none
	 * @return a changed copy
	 */
	public JobType<T> limitKey(Function<? super T, @Nullable String> key) {
		return new JobType<>(this.name, this.payloadType, this.defaults, key, this.uniqueKey, this.uniqueFor,
				this.duplicates);
	}

	/**
	 * Derives the unique key of a job from its payload, see
	 * {@link JobRequest#uniqueKey(String)}. A request with its own unique key does not
	 * use {@link #uniqueFor} and {@link #duplicates} of the type, either.
	 * @param key returns the key, or {@code null} if the job has none
	 * @return a changed copy
	 */
	public JobType<T> uniqueKey(Function<? super T, @Nullable String> key) {
		return new JobType<>(this.name, this.payloadType, this.defaults, this.limitKey, key, this.uniqueFor,
				this.duplicates);
	}

	/**
	 * Keeps the unique key taken for some time after a job has succeeded, see
	 * {@link JobRequest#uniqueFor(Duration)}.
	 * @param keptFor the time
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
	 * Sets what the enqueue does if another job has the unique key, see
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
	 * Returns the name of the type, as used by requests and handlers.
	 * @return the name
	 */
	public String name() {
		return this.name;
	}

	/**
	 * Returns the class of the payload.
	 * @return the class
	 */
	public Class<T> payloadType() {
		return this.payloadType;
	}

	/**
	 * Creates a request with all defaults.
	 * @param payload the argument of the handler, which is stored as JSON, or
	 * {@code null}
	 * @return the request
	 * @throws IllegalArgumentException if a key cannot be derived from the payload
	 */
	public JobRequest request(@Nullable T payload) {
		return DefaultJobRequest.withDefaults(JobRequest.of(this.name, payload), this);
	}

	/**
	 * Applies the defaults to the values that a request does not set.
	 * @param request a request of this type
	 * @return the request with the defaults
	 * @throws IllegalArgumentException if the request is of another type, its payload is
	 * of another class, or a key cannot be derived from the payload
	 */
	public JobRequest applyTo(JobRequest request) {
		Assert.isTrue(request.type().equals(this.name),
				() -> "The request is for a job of the type '" + request.type() + "', not '" + this.name + "'");
		return DefaultJobRequest.withDefaults(request, this);
	}

	@Nullable T cast(@Nullable Object payload) {
		Assert.isTrue(payload == null || this.payloadType.isInstance(payload),
				() -> "The payload of a job of the type '%s' must be a %s, not a %s".formatted(this.name,
						this.payloadType.getName(), (payload != null) ? payload.getClass().getName() : null));
		return this.payloadType.cast(payload);
	}

	/** Returns the defaults as a request; values that it does not set have no default. */
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
