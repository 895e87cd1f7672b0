package io.rowqueue.engine.enqueue;

import java.util.LinkedHashMap;
import java.util.Map;

import io.rowqueue.JobRequest;
import io.rowqueue.engine.codec.JobHeaders;
import io.rowqueue.engine.support.HeaderNames;
import org.jspecify.annotations.Nullable;

/** The headers that a job is stored with. */
final class RequestHeaders {

	private RequestHeaders() {
	}

	/**
	 * Returns the headers of a job.
	 * @param request the job, whose headers take precedence
	 * @param headers those of the interceptors, as JSON, or {@code null}
	 */
	static @Nullable String of(JobRequest request, @Nullable String headers) {
		if (request.window() == null && request.expiresAt() == null && request.tags().isEmpty()
				&& request.headers().isEmpty()) {
			return headers;
		}
		Map<String, String> all = new LinkedHashMap<>(JobHeaders.read(headers));
		all.putAll(request.headers());
		if (request.window() != null) {
			all.put(HeaderNames.WINDOW, request.window());
		}
		if (request.expiresAt() != null) {
			all.put(HeaderNames.EXPIRES_AT, request.expiresAt().toString());
		}
		if (!request.tags().isEmpty()) {
			all.put(HeaderNames.TAGS, String.join("\n", request.tags()));
		}
		return JobHeaders.write(all);
	}

}
