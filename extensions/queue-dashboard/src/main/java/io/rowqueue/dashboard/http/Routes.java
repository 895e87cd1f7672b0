package io.rowqueue.dashboard.http;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/** The routes of the API. */
public final class Routes {

	private final List<Route> routes;

	/**
	 * Creates the routes.
	 * @param routes the routes; of several that match, the first one answers
	 */
	public Routes(List<Route> routes) {
		this.routes = List.copyOf(routes);
	}

	/** Returns all routes. */
	public List<Route> all() {
		return this.routes;
	}

	/**
	 * Finds the route of a request.
	 * @param path the path below {@code api}, as it was sent
	 * @throws ProblemException if there is none
	 */
	Matched match(String method, String path) {
		List<String> segments = Arrays.asList(path.split("/", -1));
		List<String> others = new ArrayList<>();
		for (Route route : this.routes) {
			Optional<Map<String, String>> variables = route.match(segments);
			if (variables.isPresent()) {
				if (route.method().equals(method.equals("HEAD") ? "GET" : method)) {
					return new Matched(route, decoded(variables.get()));
				}
				others.add(route.method());
			}
		}
		if (!others.isEmpty()) {
			throw Problem.Kind.METHOD.because("It knows " + String.join(", ", new TreeSet<>(others)) + ".");
		}
		throw Problem.Kind.NOT_FOUND.because("There is no such resource.");
	}

	private static Map<String, String> decoded(Map<String, String> variables) {
		Map<String, String> names = new HashMap<>();
		variables.forEach((variable, segment) -> names.put(variable, PathNames.decode(segment)
			.filter(StorableText::is)
			.orElseThrow(
					() -> Problem.Kind.NOT_FOUND.because("A name in the path is not written as names in paths are."))));
		return names;
	}

	/**
	 * A route that matches.
	 *
	 * @param route the route
	 * @param variables the variables of the path
	 */
	record Matched(Route route, Map<String, String> variables) {

	}

}
