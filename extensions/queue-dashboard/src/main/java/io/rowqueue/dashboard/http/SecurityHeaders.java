package io.rowqueue.dashboard.http;

import java.util.LinkedHashMap;
import java.util.Map;

/** The headers of every response of the dashboard, and of no other one. */
public final class SecurityHeaders {

	private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
			+ " connect-src 'self'; font-src 'self'; base-uri 'self'; form-action 'self'; frame-ancestors %s;"
			+ " require-trusted-types-for 'script'; trusted-types lit-html";

	private static final String CACHE = "Cache-Control";

	private final Map<String, String> headers = new LinkedHashMap<>();

	/**
	 * Creates the headers.
	 * @param frameAncestors who may show the dashboard in a frame, as the
	 * {@code Content-Security-Policy} writes it
	 */
	public SecurityHeaders(String frameAncestors) {
		this.headers.put("Content-Security-Policy", POLICY.formatted(frameAncestors));
		this.headers.put("X-Content-Type-Options", "nosniff");
		this.headers.put("Referrer-Policy", "no-referrer");
		this.headers.put("Cross-Origin-Opener-Policy", "same-origin");
		this.headers.put("Cross-Origin-Resource-Policy", "same-origin");
		this.headers.put("Permissions-Policy", "clipboard-write=(self)");
		this.headers.put("X-Robots-Tag", "noindex");
		if (frameAncestors.equals("'none'")) {
			this.headers.put("X-Frame-Options", "DENY");
		}
	}

	/** Adds them; what may be cached says so itself. */
	DashboardResponse addTo(DashboardResponse response) {
		Map<String, String> all = new LinkedHashMap<>(this.headers);
		all.put(CACHE, "no-store");
		all.putAll(response.headers());
		return response.withHeaders(all);
	}

}
