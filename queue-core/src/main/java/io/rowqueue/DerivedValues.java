package io.rowqueue;

import java.util.Collection;
import java.util.List;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

/** What a {@link JobType} derives from the payloads of its jobs. */
record DerivedValues<T>(@Nullable Function<? super T, @Nullable String> limitKey,
		@Nullable Function<? super T, @Nullable String> uniqueKey,
		@Nullable Function<? super T, ? extends Collection<String>> tags,
		@Nullable Function<? super T, @Nullable JobRequest> onFailure) {

	/** Stands for unique keys that are derived from payloads, until they are. */
	static final String DERIVED_KEY = "derived";

	static <T> DerivedValues<T> none() {
		return new DerivedValues<>(null, null, null, null);
	}

	DerivedValues<T> withLimitKey(Function<? super T, @Nullable String> key) {
		return new DerivedValues<>(key, this.uniqueKey, this.tags, this.onFailure);
	}

	DerivedValues<T> withUniqueKey(Function<? super T, @Nullable String> key) {
		return new DerivedValues<>(this.limitKey, key, this.tags, this.onFailure);
	}

	DerivedValues<T> withTags(Function<? super T, ? extends Collection<String>> derived) {
		return new DerivedValues<>(this.limitKey, this.uniqueKey, derived, this.onFailure);
	}

	DerivedValues<T> withOnFailure(Function<? super T, @Nullable JobRequest> derived) {
		return new DerivedValues<>(this.limitKey, this.uniqueKey, this.tags, derived);
	}

	@Nullable String limitKey(String type, @Nullable T payload) {
		return key(type, "limit key", this.limitKey, payload);
	}

	@Nullable String uniqueKey(String type, @Nullable T payload) {
		return key(type, "unique key", this.uniqueKey, payload);
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
