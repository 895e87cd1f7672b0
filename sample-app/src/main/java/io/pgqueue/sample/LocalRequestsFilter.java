package io.pgqueue.sample;

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
 * Keeps web pages of others away from an application without a login: a page that a
 * browser of this machine shows can send requests to the loopback interface, by a name of
 * its own that leads there (DNS rebinding) or as a form. An application with a login has
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
			response.sendError(HttpServletResponse.SC_FORBIDDEN, "This application is reached as localhost only");
		}
		else if (!SAFE_METHODS.contains(request.getMethod()) && isFromAnotherSite(request)) {
			response.sendError(HttpServletResponse.SC_FORBIDDEN, "A page of another site sent this request");
		}
		else {
			chain.doFilter(request, response);
		}
	}

	private static boolean isToLoopback(HttpServletRequest request) throws IOException {
		return InetAddress.getByName(request.getLocalAddr()).isLoopbackAddress();
	}

	/** Every current browser sends the header; programs such as curl do not. */
	private static boolean isFromAnotherSite(HttpServletRequest request) {
		String site = request.getHeader("Sec-Fetch-Site");
		return site != null && !site.equals("same-origin") && !site.equals("none");
	}

}
