package io.pgqueue.dashboard.autoconfigure;

import java.security.Principal;

import io.pgqueue.dashboard.DashboardCaller;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/**
 * Who sends a servlet request. Its principal is the one of the application's own
 * security.
 *
 * @param request the request
 */
public record ServletCaller(HttpServletRequest request) implements DashboardCaller {

	@Override
	public @Nullable String name() {
		return Authorities.name(this.request.getUserPrincipal());
	}

	@Override
	public @Nullable String address() {
		return this.request.getRemoteAddr();
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
