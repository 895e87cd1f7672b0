package io.rowqueue.dashboard.http;

import java.net.URI;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

/**
 * Refuses requests that another site may have sent. It keeps nothing: another site's page
 * cannot send the header without asking first, and a browser says where a request comes
 * from.
 */
final class CsrfCheck {

	static final String HEADER = "Queue-Dashboard";

	private CsrfCheck() {
	}

	static void check(DashboardRequest request) {
		String type = request.header("Content-Type");
		if (type == null || !type.toLowerCase(Locale.ROOT).startsWith("application/json")) {
			throw Problem.Kind.CSRF.because("Content-Type must be application/json.");
		}
		if (!"1".equals(request.header(HEADER))) {
			throw Problem.Kind.CSRF.because("The header " + HEADER + ": 1 is missing.");
		}
		checkOrigin(request);
	}

	/**
	 * Refuses what a page of another origin sends, also if the application lets that
	 * origin read all of its paths. What a visitor enters as the address may be read.
	 */
	static void checkOrigin(DashboardRequest request) {
		String site = request.header("Sec-Fetch-Site");
		String origin = request.header("Origin");
		if (site != null) {
			if (!site.equals("same-origin") && !(site.equals("none") && request.isSafe())) {
				throw Problem.Kind.CSRF.because("The request comes from another origin.");
			}
		}
		else if (origin != null && !isHost(origin, request.header("Host"))) {
			throw Problem.Kind.CSRF.because("The page is from " + origin + ", and the request was sent to the host "
					+ request.header("Host") + ". If a proxy is between, let it keep the header Host.");
		}
	}

	private static boolean isHost(String origin, @Nullable String host) {
		try {
			return URI.create(origin).getRawAuthority() != null
					&& URI.create(origin).getRawAuthority().equalsIgnoreCase(host);
		}
		catch (IllegalArgumentException ex) {
			return false;
		}
	}

}
