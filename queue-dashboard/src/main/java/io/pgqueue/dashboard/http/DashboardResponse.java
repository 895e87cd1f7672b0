package io.pgqueue.dashboard.http;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A response of the dashboard.
 *
 * @param status the status
 * @param headers its headers, each with one value
 * @param body its body
 */
public record DashboardResponse(int status, Map<String, String> headers, Content body) {

	/** Copies the headers. */
	public DashboardResponse {
		headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
	}

	/** A response without a body. */
	public static DashboardResponse empty(int status) {
		return new DashboardResponse(status, Map.of(), Content.NONE);
	}

	/** A response with a body. */
	public static DashboardResponse of(int status, String contentType, Content body) {
		return new DashboardResponse(status, Map.of("Content-Type", contentType), body);
	}

	/** Sets a header. */
	public DashboardResponse with(String header, String value) {
		Map<String, String> all = new LinkedHashMap<>(this.headers);
		all.put(header, value);
		return new DashboardResponse(this.status, all, this.body);
	}

	/** Returns the same without its body. */
	public DashboardResponse withoutBody() {
		return new DashboardResponse(this.status, this.headers, Content.NONE);
	}

}
