package io.pgqueue;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.LongStream;

import io.pgqueue.engine.support.RequestChecks;
import io.pgqueue.flow.Predecessors;
import io.pgqueue.flow.WhenFailed;
import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

/** The only implementation of {@link JobRequest}. */
final class DefaultJobRequest implements JobRequest {

	private final JobRequestValues values;

	DefaultJobRequest(JobRequestValues values) {
		this.values = values;
		Assert.isTrue(values.unique == null || values.predecessors.ids().isEmpty(),
				"a job that runs after others cannot have a unique key: the job that already has the key would not wait for them");
	}

	@Override
	public JobRequest queue(String queue) {
		RequestChecks.name("queue", queue);
		return with((copy) -> copy.queue = queue);
	}

	@Override
	public JobRequest priority(int priority) {
		RequestChecks.smallint("priority", Short.MIN_VALUE, priority);
		return with((copy) -> copy.priority = priority);
	}

	@Override
	public JobRequest runAt(Instant runAt) {
		RequestChecks.time("runAt", runAt);
		return with((copy) -> {
			copy.runAt = runAt;
			copy.delay = Duration.ZERO;
		});
	}

	@Override
	public JobRequest delay(Duration delay) {
		RequestChecks.duration("delay", delay);
		return with((copy) -> {
			copy.runAt = null;
			copy.delay = delay;
		});
	}

	@Override
	public JobRequest tolerance(Duration tolerance) {
		RequestChecks.duration("tolerance", tolerance);
		return with((copy) -> copy.tolerance = tolerance);
	}

	@Override
	public JobRequest maxAttempts(int maxAttempts) {
		RequestChecks.smallint("maxAttempts", 1, maxAttempts);
		return with((copy) -> copy.maxAttempts = maxAttempts);
	}

	@Override
	public JobRequest limitKey(String limitKey) {
		RequestChecks.name("limitKey", limitKey);
		return with((copy) -> copy.limitKey = limitKey);
	}

	@Override
	public JobRequest window(String window) {
		RequestChecks.name("window", window);
		return with((copy) -> copy.window = window);
	}

	@Override
	public JobRequest uniqueKey(String uniqueKey) {
		UniqueKey before = this.values.unique;
		return unique((before != null) ? new UniqueKey(uniqueKey, before.keptFor(), before.duplicates())
				: new UniqueKey(uniqueKey, Duration.ZERO, DuplicatePolicy.keep()));
	}

	@Override
	public JobRequest uniqueFor(Duration keptFor) {
		UniqueKey key = key("uniqueFor");
		return unique(new UniqueKey(key.value(), keptFor, key.duplicates()));
	}

	@Override
	public JobRequest duplicates(DuplicatePolicy duplicates) {
		UniqueKey key = key("duplicates");
		return unique(new UniqueKey(key.value(), key.keptFor(), duplicates));
	}

	@Override
	public JobRequest after(long... jobIds) {
		return after(predecessors().and(LongStream.of(jobIds).boxed().toList()));
	}

	@Override
	public JobRequest whenFailed(WhenFailed whenFailed) {
		return after(new Predecessors(predecessors().ids(), whenFailed));
	}

	@Override
	public JobRequest inDatabase() {
		return with((copy) -> copy.inDatabase = true);
	}

	@Override
	public boolean isInDatabase() {
		return this.values.inDatabase;
	}

	private JobRequest after(Predecessors predecessors) {
		return with((copy) -> copy.predecessors = predecessors);
	}

	@Override
	public String type() {
		return this.values.type;
	}

	@Override
	public @Nullable Object payload() {
		return this.values.payload;
	}

	@Override
	public String queue() {
		return (this.values.queue != null) ? this.values.queue : DEFAULT_QUEUE;
	}

	@Override
	public int priority() {
		return (this.values.priority != null) ? this.values.priority : 0;
	}

	@Override
	public @Nullable Instant runAt() {
		return this.values.runAt;
	}

	@Override
	public Duration delay() {
		return this.values.delay;
	}

	@Override
	public Duration tolerance() {
		return (this.values.tolerance != null) ? this.values.tolerance : Duration.ZERO;
	}

	@Override
	public @Nullable Integer maxAttempts() {
		return this.values.maxAttempts;
	}

	@Override
	public @Nullable UniqueKey unique() {
		return this.values.unique;
	}

	@Override
	public Predecessors predecessors() {
		return this.values.predecessors;
	}

	@Override
	public @Nullable String limitKey() {
		return this.values.limitKey;
	}

	@Override
	public @Nullable String window() {
		return this.values.window;
	}

	@Override
	public @Nullable String uniqueKey() {
		return (this.values.unique != null) ? this.values.unique.value() : null;
	}

	private JobRequest unique(UniqueKey unique) {
		return with((copy) -> copy.unique = unique);
	}

	private UniqueKey key(String what) {
		Assert.isTrue(this.values.unique != null, () -> what + " needs a key: call uniqueKey(…) before it");
		return Objects.requireNonNull(this.values.unique);
	}

	/**
	 * Returns the request with the values that it misses taken from its declared type.
	 */
	static <T> JobRequest withDefaults(JobRequest request, JobType<T> declared) {
		return ((DefaultJobRequest) request)
			.with((copy) -> copy.setMissing(((DefaultJobRequest) declared.defaults()).values, declared));
	}

	private JobRequest with(Consumer<JobRequestValues> change) {
		JobRequestValues copy = new JobRequestValues(this.values);
		change.accept(copy);
		return new DefaultJobRequest(copy);
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof DefaultJobRequest request && this.values.list().equals(request.values.list());
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
