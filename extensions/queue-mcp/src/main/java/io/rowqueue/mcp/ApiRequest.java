package io.rowqueue.mcp;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A request to the API of the dashboard.
 *
 * @param path the path below {@code api/}
 * @param parameters the parameters of its query
 * @param body the body of an action; {@code null}: it reads
 */
record ApiRequest(String path, Map<String, List<String>> parameters, @Nullable Map<String, Object> body) {

	static ApiRequest get(String path) {
		return get(path, Map.of());
	}

	static ApiRequest get(String path, Map<String, List<String>> parameters) {
		return new ApiRequest(path, parameters, null);
	}

	static ApiRequest post(String path, Map<String, Object> body) {
		return new ApiRequest(path, Map.of(), body);
	}

}
