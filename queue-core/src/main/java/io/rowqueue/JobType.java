package io.rowqueue;

import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.function.Function;

import io.rowqueue.engine.support.RequestChecks;
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
public final class JobType<T> extends JobOptions<JobType<T>> {

	private final Class<T> payloadType;

	private final DerivedValues<T> derived;

	private final @Nullable Duration retention;

	private JobType(JobRequestValues defaults, Class<T> payloadType, DerivedValues<T> derived,
			@Nullable Duration retention) {
		super(defaults);
		this.payloadType = payloadType;
		this.derived = derived;
		this.retention = retention;
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
		RequestChecks.name("type", name);
		return new JobType<>(new JobRequestValues(name, null), payloadType, DerivedValues.none(), null);
	}

	/**
	 * Derives the limit key of a job from its payload, see
	 * {@link JobRequest#limitKey(String)}.
	 * @param key returns the key, or {@code null} if the job has none
	 * @return a changed copy
	 */
	public JobType<T> limitKey(Function<? super T, @Nullable String> key) {
		return with(this.derived.withLimitKey(key));
	}

	/**
	 * Derives the unique key of a job from its payload, see
	 * {@link JobRequest#uniqueKey(String)}. A request with its own unique key does not
	 * use {@link #uniqueFor} and {@link #duplicates} of the type, either.
	 * @param key returns the key, or {@code null} if the job has none
	 * @return a changed copy
	 */
	public JobType<T> uniqueKey(Function<? super T, @Nullable String> key) {
		return with((copy) -> copy.uniqueKey(DerivedValues.DERIVED_KEY)).with(this.derived.withUniqueKey(key));
	}

	/**
	 * Derives tags of a job from its payload, in addition to those of the request, see
	 * {@link JobRequest#tags(String...)}. A job without a payload has none of them.
	 * @param tags returns the tags
	 * @return a changed copy
	 */
	public JobType<T> tags(Function<? super T, ? extends Collection<String>> tags) {
		return with(this.derived.withTags(tags));
	}

	/**
	 * Adds tags that all jobs of the type have, in addition to those of the request, see
	 * {@link JobRequest#tags(String...)}.
	 * @param tags the tags
	 * @return a changed copy
	 */
	public JobType<T> tags(String... tags) {
		return with((copy) -> copy.tags(Arrays.asList(tags)));
	}

	/**
	 * Enqueues another job for each job that fails permanently, see
	 * {@link JobRequest#onFailure(JobRequest)}.
	 * @param request derives the other job from the payload; returns {@code null} for
	 * none. A job without a payload has none
	 * @return a changed copy
	 */
	public JobType<T> onFailure(Function<? super T, @Nullable JobRequest> request) {
		return with(this.derived.withOnFailure(request));
	}

	/**
	 * Sets how long jobs are kept after they have succeeded or were cancelled, see
	 * {@link JobHandler#retention()}. Applies if the type is a bean of an application
	 * that runs jobs, and its handler does not set a retention.
	 * @param age the time since they finished
	 * @return a changed copy
	 */
	public JobType<T> retention(Duration age) {
		RequestChecks.duration("retention", age);
		return new JobType<>(this.values, this.payloadType, this.derived, age);
	}

	private JobType<T> with(DerivedValues<T> derived) {
		return new JobType<>(this.values, this.payloadType, derived, this.retention);
	}

	@Override
	JobType<T> with(JobRequestValues defaults) {
		return new JobType<>(defaults, this.payloadType, this.derived, this.retention);
	}

	/**
	 * Returns the name of the type, as used by requests and handlers.
	 * @return the name
	 */
	public String name() {
		return this.values.type;
	}

	/**
	 * Returns the class of the payload.
	 * @return the class
	 */
	public Class<T> payloadType() {
		return this.payloadType;
	}

	/**
	 * Returns how long finished jobs are kept.
	 * @return the time, or {@code null} for as long as other jobs of their queue
	 */
	public @Nullable Duration retention() {
		return this.retention;
	}

	/**
	 * Creates a request with all defaults.
	 * @param payload the argument of the handler, which is stored as JSON, or
	 * {@code null}
	 * @return the request
	 * @throws IllegalArgumentException if a key cannot be derived from the payload
	 */
	public JobRequest request(@Nullable T payload) {
		return withDefaults(JobRequest.of(name(), payload));
	}

	/**
	 * Applies the defaults to the values that a request does not set.
	 * @param request a request of this type
	 * @return the request with the defaults
	 * @throws IllegalArgumentException if the request is of another type, its payload is
	 * of another class, or a key cannot be derived from the payload
	 */
	public JobRequest applyTo(JobRequest request) {
		Assert.isTrue(request.type().equals(name()),
				() -> "The request is for a job of the type '" + request.type() + "', not '" + name() + "'");
		return withDefaults(request);
	}

	private JobRequest withDefaults(JobRequest request) {
		return request.with((copy) -> copy.setMissing(this));
	}

	/** What the type derives from the payloads of its jobs. */
	DerivedValues<T> derived() {
		return this.derived;
	}

	@Nullable T cast(@Nullable Object payload) {
		Assert.isTrue(payload == null || this.payloadType.isInstance(payload),
				() -> "The payload of a job of the type '%s' must be a %s, not a %s".formatted(name(),
						this.payloadType.getName(), (payload != null) ? payload.getClass().getName() : null));
		return this.payloadType.cast(payload);
	}

	@Override
	public String toString() {
		return "JobType[" + name() + ", " + this.payloadType.getName() + "]";
	}

}
