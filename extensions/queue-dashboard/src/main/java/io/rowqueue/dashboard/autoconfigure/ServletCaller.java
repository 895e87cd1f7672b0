package io.rowqueue.dashboard.autoconfigure;

import java.security.Principal;

import io.rowqueue.dashboard.DashboardCaller;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/**
 * Who sends a servlet request. Its principal is the one of the application's own
 * security.
 *
 * @param request the request
 */
public record ServletCaller(HttpServletRequest request) implements DashboardCaller {

	/** Tomcat's filter and valve set it for each client that they trust, proxy or not. */
	private static final String FORWARDED = "org.apache.tomcat.request.forwarded";

	@Override
	public @Nullable String name() {
		return Authorities.name(this.request.getUserPrincipal());
	}

	@Override
	public @Nullable String address() {
		return this.request.getRemoteAddr();
	}

	/** A filter may have hidden the headers, and Tomcat's valve may have removed them. */
	@Override
	public boolean isForwarded() {
		ServletRequest received = this.request;
		while (received instanceof ServletRequestWrapper wrapper) {
			received = wrapper.getRequest();
		}
		return this.request.getAttribute(FORWARDED) != null
				|| !received.getRemoteAddr().equals(this.request.getRemoteAddr())
				|| (received instanceof HttpServletRequest http && ForwardedHeaders.areIn(http::getHeader));
	}

	@Override
	public boolean isInRole(String role) {
		Principal principal = this.request.getUserPrincipal();
		return principal != null && (this.request.isUserInRole(role) || Authorities.has(principal, role));
	}

	@Override
	public @Nullable String header(String name) {
		return this.request.getHeader(name);
	}

}
