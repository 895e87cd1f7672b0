package io.rowqueue.dashboard.http;

import io.rowqueue.dashboard.DashboardRights;

/** Answers requests below {@code api}. */
public final class Api {

	private final Routes routes;

	private final Json json;

	/**
	 * Creates the API.
	 * @param routes its routes
	 * @param json writes its answers
	 */
	public Api(Routes routes, Json json) {
		this.routes = routes;
		this.json = json;
	}

	/** Returns the routes. */
	public Routes routes() {
		return this.routes;
	}

	DashboardResponse handle(DashboardRequest request, String path, DashboardRights rights, Gate gate) {
		Routes.Matched matched = this.routes.match(request.method(), path);
		if (request.isSafe()) {
			CsrfCheck.checkOrigin(request);
		}
		else {
			CsrfCheck.check(request);
		}
		ApiCall call = new ApiCall(request, matched, rights, this.json);
		call.need(matched.route().needs());
		DashboardResponse response = response(request, matched.route().handler().handle(call));
		if (matched.route().reveals() && rights.payloads() && response.status() == 200) {
			gate.shown(request);
		}
		return response;
	}

	private DashboardResponse response(DashboardRequest request, Object answer) {
		if (answer instanceof DashboardResponse response) {
			return response;
		}
		return request.isSafe() ? tagged(request, answer) : json(200, answer);
	}

	/** A page that polls is not sent again what it has. */
	private DashboardResponse tagged(DashboardRequest request, Object answer) {
		String tag = this.json.tag(answer);
		DashboardResponse response = tag.equals(request.header("If-None-Match")) ? DashboardResponse.empty(304)
				: json(200, answer);
		return response.with("ETag", tag);
	}

	private DashboardResponse json(int status, Object answer) {
		return DashboardResponse.of(status, "application/json", Content.of(this.json.write(answer)));
	}

	DashboardResponse problem(Problem problem) {
		DashboardResponse response = DashboardResponse.of(problem.status(), Problem.CONTENT_TYPE,
				Content.of(this.json.write(problem)));
		return (problem.retryAfter() != null) ? response.with("Retry-After", problem.retryAfter().toString())
				: response;
	}

}
