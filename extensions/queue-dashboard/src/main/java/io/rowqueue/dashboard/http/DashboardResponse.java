package io.rowqueue.dashboard.http;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A response of the dashboard.
 *
 * @param status the status
 * @param headers its headers, each with one value
 * @param body its body
 * @param stream what is written instead of the body, or {@code null}
 */
public record DashboardResponse(int status, Map<String, String> headers, Content body,
		@Nullable StreamedContent stream) {

	/** Copies the headers. */
	public DashboardResponse {
		headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
	}

	/** A response without a body. */
	public static DashboardResponse empty(int status) {
		return new DashboardResponse(status, Map.of(), Content.NONE, null);
	}

	/** A response with a body. */
	public static DashboardResponse of(int status, String contentType, Content body) {
		return new DashboardResponse(status, Map.of("Content-Type", contentType), body, null);
	}

	/** A response whose length is not known when it begins. */
	public static DashboardResponse streamed(String contentType, StreamedContent stream) {
		return new DashboardResponse(200, Map.of("Content-Type", contentType), Content.NONE, stream);
	}

	/** Sets a header. */
	public DashboardResponse with(String header, String value) {
		Map<String, String> all = new LinkedHashMap<>(this.headers);
		all.put(header, value);
		return withHeaders(all);
	}

	/** Replaces the headers. */
	DashboardResponse withHeaders(Map<String, String> all) {
		return new DashboardResponse(this.status, all, this.body, this.stream);
	}

	/** Returns the same without its body. */
	public DashboardResponse withoutBody() {
		return new DashboardResponse(this.status, this.headers, Content.NONE, null);
	}

}
