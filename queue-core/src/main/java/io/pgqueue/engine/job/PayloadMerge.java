package io.pgqueue.engine.job;

import org.jspecify.annotations.Nullable;

/** Makes one payload of two; both are JSON, {@code null} is none. */
@FunctionalInterface
public interface PayloadMerge {

	/** Returns the payload that the job gets instead of the one that it has. */
	@Nullable String merge(@Nullable String existing, @Nullable String added);

}
