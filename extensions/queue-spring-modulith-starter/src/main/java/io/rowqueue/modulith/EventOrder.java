package io.rowqueue.modulith;

import java.nio.charset.StandardCharsets;
import java.util.UUID;

import io.rowqueue.JobRequest;

/**
 * Orders the jobs of events by a class of limit keys of their own, whose limit is in
 * {@code limits.properties}.
 */
final class EventOrder {

	private static final String KEYS = "module-events";

	private EventOrder() {
	}

	/** Sets the limit key, which is a hash of the name and the key if these are long. */
	static JobRequest apply(JobRequest request, String name, String key) {
		String limitKey = KEYS + ":" + name + ":" + key;
		return request.limitKey((limitKey.length() <= JobRequest.MAX_NAME_LENGTH) ? limitKey
				: KEYS + ":" + UUID.nameUUIDFromBytes(limitKey.getBytes(StandardCharsets.UTF_8)));
	}

}
