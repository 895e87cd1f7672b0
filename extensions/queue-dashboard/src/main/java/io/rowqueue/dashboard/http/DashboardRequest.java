package io.rowqueue.dashboard.http;

import java.util.List;
import java.util.Map;

import io.rowqueue.dashboard.DashboardCaller;
import org.jspecify.annotations.Nullable;

/**
 * A request to the dashboard.
 *
 * @param method such as {@code GET}
 * @param path the path below the dashboard's root as it was sent, without the first
 * slash; {@code null}: the root without a slash at its end
 * @param parameters the parameters of the query
 * @param body what was sent; empty for methods that send nothing
 * @param caller who sends it, with the headers
 * @param csrf the token of the application's own security, if it wants one
 * @param secure whether it came by HTTPS
 */
public record DashboardRequest(String method, @Nullable String path, Map<String, List<String>> parameters, Content body,
		DashboardCaller caller, @Nullable CsrfToken csrf, boolean secure) {

	/** The longest body that is read. */
	public static final int MAX_BODY = 1024 * 1024;

	static final String API = "api/";

	private static final String SESSION = API + "session";

	/**
	 * Whether a path is that of the resource with the token of the application's own
	 * security.
	 */
	public static boolean isSession(@Nullable String path) {
		return SESSION.equals(Place.of(path).path());
	}

	/** Whether it is for data, which has to be read, and not for a page or a file. */
	public boolean isForData() {
		String below = Place.of(this.path).path();
		return below != null && below.startsWith(API);
	}

	/** Whether the method changes nothing. */
	public boolean isSafe() {
		return this.method.equals("GET") || this.method.equals("HEAD");
	}

	/** Returns the token that a link to a page has, in its query. */
	@Nullable String token() {
		List<String> tokens = (isSafe() && !isForData()) ? this.parameters.get("token") : null;
		return (tokens != null) ? tokens.get(0) : null;
	}

	/** Returns the first value of a header. */
	public @Nullable String header(String name) {
		return this.caller.header(name);
	}

}
