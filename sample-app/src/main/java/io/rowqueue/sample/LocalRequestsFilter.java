package io.rowqueue.sample;

import java.io.IOException;
import java.net.InetAddress;
import java.util.Set;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Rejects requests of foreign web pages to an application without a login: a page in a
 * browser on this machine can send requests to the loopback interface, with a host name
 * that resolves to it (DNS rebinding) or with a form. Applications with a login use
 * Spring Security instead.
 */
@Component
class LocalRequestsFilter extends OncePerRequestFilter {

	private static final Set<String> LOCAL_NAMES = Set.of("localhost", "127.0.0.1", "[::1]", "0:0:0:0:0:0:0:1");

	private static final Set<String> SAFE_METHODS = Set.of("GET", "HEAD", "OPTIONS");

	@Override
	protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
			throws ServletException, IOException {
		if (isToLoopback(request) && !LOCAL_NAMES.contains(request.getServerName())) {
			response.sendError(HttpServletResponse.SC_FORBIDDEN, "This application is only available as localhost");
		}
		else if (!SAFE_METHODS.contains(request.getMethod()) && isFromAnotherSite(request)) {
			response.sendError(HttpServletResponse.SC_FORBIDDEN, "Requests from pages of other sites are rejected");
		}
		else {
			chain.doFilter(request, response);
		}
	}

	private static boolean isToLoopback(HttpServletRequest request) throws IOException {
		return InetAddress.getByName(request.getLocalAddr()).isLoopbackAddress();
	}

	/** All current browsers send this header; programs such as curl do not. */
	private static boolean isFromAnotherSite(HttpServletRequest request) {
		String site = request.getHeader("Sec-Fetch-Site");
		return site != null && !site.equals("same-origin") && !site.equals("none");
	}

}
