package io.rowqueue.dashboard.http;

/** Answers the requests of a route. */
@FunctionalInterface
public interface Handler {

	/**
	 * Answers a request.
	 * @param call the request, whose caller has the level that the route needs
	 * @return a record that is written as JSON, or a {@link DashboardResponse}
	 */
	Object handle(ApiCall call);

}
