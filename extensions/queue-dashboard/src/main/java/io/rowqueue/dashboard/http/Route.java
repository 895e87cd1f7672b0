package io.rowqueue.dashboard.http;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import io.rowqueue.dashboard.Level;

/**
 * A route of the API.
 *
 * @param method {@code GET} or {@code POST}
 * @param template the path below {@code api}, such as <code>queues/{name}</code>
 * @param needs the level that every request needs; a handler may ask for a higher one
 * @param parameters the parameters that it knows
 * @param reveals whether callers who may see payloads are shown what is hidden from
 * others, and leave a trace
 * @param handler answers the requests
 */
public record Route(String method, String template, Level needs, Set<String> parameters, boolean reveals,
		Handler handler) {

	/** A route that reads. */
	public static Route get(String template, Handler handler, String... parameters) {
		return new Route("GET", template, Level.READ, Set.of(parameters), false, handler);
	}

	/** The same for what is hidden from most callers. */
	public Route revealing() {
		return new Route(this.method, this.template, this.needs, this.parameters, true, this.handler);
	}

	/** A route that changes something. */
	public static Route post(String template, Level needs, Handler handler) {
		return new Route("POST", template, needs, Set.of(), false, handler);
	}

	/**
	 * Returns the variables of a path, as they were sent, if it is one of this route. Its
	 * words are as they were sent, too: others who let a request pass compare those.
	 */
	Optional<Map<String, String>> match(List<String> path) {
		List<String> segments = Arrays.asList(this.template.split("/"));
		if (segments.size() != path.size()) {
			return Optional.empty();
		}
		Map<String, String> variables = new HashMap<>();
		for (int i = 0; i < segments.size(); i++) {
			String segment = segments.get(i);
			if (segment.startsWith("{")) {
				variables.put(segment.substring(1, segment.length() - 1), path.get(i));
			}
			else if (!segment.equals(path.get(i))) {
				return Optional.empty();
			}
		}
		return Optional.of(variables);
	}

}
