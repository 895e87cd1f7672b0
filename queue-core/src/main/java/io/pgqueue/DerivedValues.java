package io.pgqueue;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

/**
 * What a {@link JobType} derives from the payloads of its jobs, and what applies to the
 * derived unique keys.
 */
record DerivedValues<T>(@Nullable Function<? super T, @Nullable String> limitKey,
		@Nullable Function<? super T, @Nullable String> uniqueKey, Duration uniqueFor, boolean fromEnqueue,
		DuplicatePolicy duplicates, @Nullable Function<? super T, ? extends Collection<String>> tags,
		@Nullable Function<? super T, @Nullable JobRequest> onFailure) {

	static <T> DerivedValues<T> none() {
		return new DerivedValues<>(null, null, Duration.ZERO, false, DuplicatePolicy.keep(), null, null);
	}

	DerivedValues<T> withLimitKey(Function<? super T, @Nullable String> key) {
		return new DerivedValues<>(key, this.uniqueKey, this.uniqueFor, this.fromEnqueue, this.duplicates, this.tags,
				this.onFailure);
	}

	DerivedValues<T> withUniqueKey(Function<? super T, @Nullable String> key) {
		return new DerivedValues<>(this.limitKey, key, this.uniqueFor, this.fromEnqueue, this.duplicates, this.tags,
				this.onFailure);
	}

	/**
	 * Keeps the unique keys taken for some time.
	 * @param what the name of the option
	 * @param fromEnqueue whether the time begins with the enqueue; otherwise with the
	 * success
	 */
	DerivedValues<T> keptFor(String what, Duration keptFor, boolean fromEnqueue) {
		checkUniqueKey(what);
		return new DerivedValues<>(this.limitKey, this.uniqueKey, keptFor, fromEnqueue, this.duplicates, this.tags,
				this.onFailure);
	}

	DerivedValues<T> withDuplicates(DuplicatePolicy policy) {
		checkUniqueKey("duplicates");
		return new DerivedValues<>(this.limitKey, this.uniqueKey, this.uniqueFor, this.fromEnqueue, policy, this.tags,
				this.onFailure);
	}

	DerivedValues<T> withTags(Function<? super T, ? extends Collection<String>> derived) {
		return new DerivedValues<>(this.limitKey, this.uniqueKey, this.uniqueFor, this.fromEnqueue, this.duplicates,
				derived, this.onFailure);
	}

	DerivedValues<T> withOnFailure(Function<? super T, @Nullable JobRequest> derived) {
		return new DerivedValues<>(this.limitKey, this.uniqueKey, this.uniqueFor, this.fromEnqueue, this.duplicates,
				this.tags, derived);
	}

	private void checkUniqueKey(String what) {
		Assert.isTrue(this.uniqueKey != null, () -> what + " needs a key: call uniqueKey(…) before it");
	}

	@Nullable String limitKey(String type, @Nullable T payload) {
		return key(type, "limit key", this.limitKey, payload);
	}

	@Nullable UniqueKey unique(String type, @Nullable T payload) {
		String key = key(type, "unique key", this.uniqueKey, payload);
		return (key != null) ? new UniqueKey(key, this.uniqueFor, this.duplicates, this.fromEnqueue) : null;
	}

	private static <T> @Nullable String key(String type, String what,
			@Nullable Function<? super T, @Nullable String> key, @Nullable T payload) {
		if (key == null) {
			return null;
		}
		Assert.isTrue(payload != null,
				() -> "A job of the type '%s' needs a payload: its %s is derived from it".formatted(type, what));
		return key.apply(payload);
	}

	Collection<String> tags(@Nullable T payload) {
		return (this.tags != null && payload != null) ? this.tags.apply(payload) : List.of();
	}

	@Nullable JobRequest onFailure(@Nullable T payload) {
		return (this.onFailure != null && payload != null) ? this.onFailure.apply(payload) : null;
	}

}
