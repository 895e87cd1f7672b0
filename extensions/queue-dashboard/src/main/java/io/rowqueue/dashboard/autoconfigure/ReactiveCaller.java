package io.rowqueue.dashboard.autoconfigure;

import java.net.InetSocketAddress;
import java.security.Principal;

import io.rowqueue.dashboard.DashboardCaller;
import org.jspecify.annotations.Nullable;
import org.springframework.web.reactive.function.server.ServerRequest;

/**
 * Who sends a request to a reactive application. Its principal is the one of the
 * application's own security.
 *
 * @param request the request
 * @param principal the principal of the request, if it has one
 */
public record ReactiveCaller(ServerRequest request, @Nullable Principal principal) implements DashboardCaller {

	@Override
	public @Nullable String name() {
		return Authorities.name(this.principal);
	}

	@Override
	public @Nullable String address() {
		return this.request.remoteAddress().map(ReactiveCaller::address).orElse(null);
	}

	/** One that was taken from a header of a proxy is not resolved. */
	private static String address(InetSocketAddress remote) {
		return remote.isUnresolved() ? remote.getHostString() : remote.getAddress().getHostAddress();
	}

	/** An address from a header that was removed is not resolved. */
	@Override
	public boolean isForwarded() {
		return ForwardedHeaders.areIn(this::header)
				|| this.request.remoteAddress().filter(InetSocketAddress::isUnresolved).isPresent();
	}

	@Override
	public boolean isInRole(String role) {
		return Authorities.has(this.principal, role);
	}

	@Override
	public @Nullable String header(String name) {
		return this.request.headers().firstHeader(name);
	}

}
