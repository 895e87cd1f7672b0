package io.rowqueue.engine.admin;

import java.util.function.Function;

import io.rowqueue.JobRequest;
import org.jspecify.annotations.Nullable;

/** Replaces the payload of a waiting job by an object. */
@FunctionalInterface
public interface PayloadChange {

	/** For processes that only read. */
	PayloadChange REFUSED = (id, payload) -> {
		throw new UnsupportedOperationException("This administration replaces no payloads");
	};

	/**
	 * Replaces the payload.
	 * @param id the id of the job
	 * @param payload the new payload, or {@code null} for none
	 * @return whether the job was waiting
	 */
	boolean replace(long id, @Nullable Object payload);

	/**
	 * Returns a change that writes payloads like those of new jobs.
	 * @param store stores payloads
	 * @param payloads writes the payload of a request as JSON
	 */
	static PayloadChange of(JobEditStore store, Function<JobRequest, @Nullable String> payloads) {
		return (id, payload) -> store.type(id)
			.filter((type) -> store.edit(id, payloads.apply(JobRequest.of(type, payload)), null))
			.isPresent();
	}

}
