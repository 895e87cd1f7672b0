package io.rowqueue.engine.job;

import org.jspecify.annotations.Nullable;

/** Merges two payloads; both are JSON, or {@code null} for none. */
@FunctionalInterface
public interface PayloadMerge {

	/** Returns the merged payload. */
	@Nullable String merge(@Nullable String existing, @Nullable String added);

}
