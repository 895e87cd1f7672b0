package io.rowqueue;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.LongStream;

import io.rowqueue.engine.support.FairnessKey;
import io.rowqueue.engine.support.RequestChecks;
import io.rowqueue.flow.Predecessors;
import io.rowqueue.flow.WhenFailed;
import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

/**
 * The values of a {@link JobRequest}, or of the defaults of a {@link JobType};
 * {@code null} if a value is not set. They change only while a copy is created, and never
 * afterwards. All methods that set a value throw {@link IllegalArgumentException} if it
 * is not allowed.
 */
final class JobRequestValues implements Cloneable {

	final String type;

	final @Nullable Object payload;

	@Nullable String queue;

	@Nullable Integer priority;

	@Nullable Instant runAt;

	Duration delay = Duration.ZERO;

	Duration spread = Duration.ZERO;

	@Nullable Duration tolerance;

	@Nullable Integer maxAttempts;

	@Nullable UniqueKey unique;

	boolean uniqueByPayload;

	Predecessors predecessors = Predecessors.NONE;

	@Nullable String limitKey;

	int limitUnits = 1;

	/** Without another limit key, {@link #limitKey} contains it as well. */
	@Nullable String fairnessKey;

	@Nullable String window;

	boolean inDatabase;

	@Nullable Instant expiresAt;

	@Nullable Duration expiresIn;

	Set<String> tags = Set.of();

	Map<String, String> headers = Map.of();

	@Nullable JobRequest onFailure;

	JobRequestValues(String type, @Nullable Object payload) {
		this.type = type;
		this.payload = payload;
	}

	/** Returns a copy to change: all values are immutable. */
	JobRequestValues copy() {
		try {
			return (JobRequestValues) clone();
		}
		catch (CloneNotSupportedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	void queue(String name) {
		RequestChecks.name("queue", name);
		this.queue = name;
	}

	void priority(int number) {
		RequestChecks.smallint("priority", Short.MIN_VALUE, number);
		this.priority = number;
	}

	void runAt(Instant time) {
		RequestChecks.time("runAt", time);
		this.runAt = time;
		this.delay = Duration.ZERO;
	}

	void delay(Duration time) {
		RequestChecks.duration("delay", time);
		this.runAt = null;
		this.delay = time;
	}

	void spreadOver(Duration span) {
		RequestChecks.duration("spreadOver", span);
		this.spread = span;
	}

	void tolerance(Duration time) {
		RequestChecks.duration("tolerance", time);
		this.tolerance = time;
	}

	void maxAttempts(int number) {
		RequestChecks.smallint("maxAttempts", 1, number);
		this.maxAttempts = number;
	}

	void limitKey(String key, int units) {
		RequestChecks.name("limitKey", key);
		Assert.isTrue(units >= 1 && units <= 10_000,
				() -> "the units of a limit key must be from 1 to 10000, not " + units);
		if (FairnessKey.is(key)) {
			fairnessKey(FairnessKey.text(key));
			return;
		}
		this.limitKey = key;
		this.limitUnits = units;
	}

	void fairnessKey(String key) {
		RequestChecks.name("fairnessKey", key);
		String stored = FairnessKey.PREFIX + key;
		RequestChecks.name("fairnessKey with its prefix", stored);
		this.fairnessKey = key;
		if (this.limitKey == null || FairnessKey.is(this.limitKey)) {
			this.limitKey = stored;
		}
	}

	void window(String name) {
		RequestChecks.name("window", name);
		this.window = name;
	}

	void expiresAt(Instant time) {
		RequestChecks.time("expiresAt", time);
		this.expiresAt = time;
		this.expiresIn = null;
	}

	void expiresIn(Duration time) {
		RequestChecks.duration("expiresIn", time);
		this.expiresIn = time;
		this.expiresAt = null;
	}

	void tags(Collection<String> added) {
		added.forEach((tag) -> RequestChecks.name("tag", tag));
		this.tags = JobLabels.union(this.tags, added);
	}

	void header(String name, String value) {
		this.headers = JobLabels.with(this.headers, name, value);
	}

	void onFailure(JobRequest request) {
		RequestChecks.present("onFailure", request);
		JobRequestValues given = request.values;
		Assert.isTrue(given.unique == null, "the job of onFailure cannot have a unique key: the end of the failed job"
				+ " would wait for transactions that have the key");
		Assert.isTrue(given.predecessors.ids().isEmpty(), "the job of onFailure cannot run after others");
		Assert.isTrue(given.onFailure == null, "the job of onFailure cannot have an onFailure of its own");
		Assert.isTrue(given.expiresAt == null, "the job of onFailure can have expiresIn, but not expiresAt");
		this.onFailure = request;
	}

	void uniqueByPayload() {
		uniqueKey(DerivedValues.DERIVED_KEY);
		this.uniqueByPayload = true;
	}

	void uniqueKey(String key) {
		this.uniqueByPayload = false;
		this.unique = (this.unique != null)
				? new UniqueKey(key, this.unique.keptFor(), this.unique.duplicates(), this.unique.fromEnqueue())
				: new UniqueKey(key, Duration.ZERO, DuplicatePolicy.keep());
	}

	void uniqueFor(Duration keptFor) {
		UniqueKey key = key("uniqueFor");
		this.unique = new UniqueKey(key.value(), keptFor, key.duplicates());
	}

	void uniqueFromEnqueue(Duration keptFor) {
		UniqueKey key = key("uniqueFromEnqueue");
		RequestChecks.duration("uniqueFromEnqueue", keptFor);
		this.unique = new UniqueKey(key.value(), keptFor, key.duplicates(), true);
	}

	void duplicates(DuplicatePolicy policy) {
		UniqueKey key = key("duplicates");
		this.unique = new UniqueKey(key.value(), key.keptFor(), policy, key.fromEnqueue());
	}

	private UniqueKey key(String what) {
		Assert.isTrue(this.unique != null, () -> what + " needs a key: call uniqueKey(…) before it");
		return Objects.requireNonNull(this.unique);
	}

	void after(long... jobIds) {
		this.predecessors = this.predecessors.and(LongStream.of(jobIds).boxed().toList());
	}

	void whenFailed(WhenFailed policy) {
		this.predecessors = new Predecessors(this.predecessors.ids(), policy);
	}

	/** Checks what depends on several values. */
	void check() {
		Assert.isTrue(this.unique == null || this.predecessors.ids().isEmpty(),
				"a job that runs after others cannot have a unique key: the job that already has the key would not wait for them");
		if (!this.spread.isZero()) {
			RequestChecks.duration("delay and spreadOver together", this.delay.plus(this.spread));
			if (this.runAt != null) {
				RequestChecks.time("runAt with spreadOver", this.runAt.plus(this.spread));
			}
		}
	}

	/** Sets the values that are missing to those of the type. */
	<T> void setMissing(JobType<T> declared) {
		JobRequestValues defaults = declared.values;
		@Nullable T value = declared.cast(this.payload);
		DerivedValues<T> derived = declared.derived();
		this.queue = either(this.queue, defaults.queue);
		this.priority = either(this.priority, defaults.priority);
		this.tolerance = either(this.tolerance, defaults.tolerance);
		this.maxAttempts = either(this.maxAttempts, defaults.maxAttempts);
		this.window = either(this.window, defaults.window);
		@Nullable String derivedKey = (this.limitKey == null || FairnessKey.is(this.limitKey))
				? derived.limitKey(this.type, value) : null;
		if (derivedKey != null && (this.limitKey == null || !FairnessKey.is(derivedKey))) {
			limitKey(derivedKey, 1);
		}
		if (this.unique == null && defaults.uniqueByPayload) {
			this.unique = defaults.unique;
			this.uniqueByPayload = true;
		}
		@Nullable String derivedUniqueKey = (this.unique == null) ? derived.uniqueKey(this.type, value) : null;
		if (derivedUniqueKey != null) {
			this.unique = defaults.unique;
			uniqueKey(derivedUniqueKey);
		}
		if (this.expiresAt == null && this.expiresIn == null) {
			this.expiresIn = defaults.expiresIn;
		}
		tags(defaults.tags);
		tags(derived.tags(value));
		this.onFailure = (this.onFailure != null) ? this.onFailure : derived.onFailure(value);
	}

	private static <V> @Nullable V either(@Nullable V first, @Nullable V second) {
		return (first != null) ? first : second;
	}

	List<@Nullable Object> list() {
		return Arrays.asList(this.type, this.payload, this.queue, this.priority, this.runAt, this.delay, this.spread,
				this.tolerance, this.maxAttempts, this.unique, this.uniqueByPayload, this.predecessors, this.limitKey,
				this.limitUnits, this.fairnessKey, this.window, this.inDatabase, this.expiresAt, this.expiresIn,
				this.tags, this.headers, this.onFailure);
	}

}
