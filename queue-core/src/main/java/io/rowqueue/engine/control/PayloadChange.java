package io.rowqueue.engine.control;

import java.util.function.Function;

import io.rowqueue.JobRequest;
import org.jspecify.annotations.Nullable;

/** Replaces the payload of a waiting job by an object. */
@FunctionalInterface
public interface PayloadChange {

	/** For processes that only read. */
	PayloadChange REFUSED = (id, payload) -> {
		throw new UnsupportedOperationException("This control of jobs replaces no payloads");
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
	 * @param changes where payloads are changed
	 * @param payloads writes the payload of a request as JSON
	 */
	static PayloadChange of(ChangeScope changes, Function<JobRequest, @Nullable String> payloads) {
		ControlStore store = new ControlStore(changes);
		return (id, payload) -> store.type(id)
			.filter((type) -> store.replacePayload(id, payloads.apply(JobRequest.of(type, payload)), null))
			.isPresent();
	}

}
