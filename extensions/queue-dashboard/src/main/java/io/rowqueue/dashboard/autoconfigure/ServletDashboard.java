package io.rowqueue.dashboard.autoconfigure;

import java.io.IOException;

import io.rowqueue.dashboard.http.Content;
import io.rowqueue.dashboard.http.CsrfToken;
import io.rowqueue.dashboard.http.Dashboard;
import io.rowqueue.dashboard.http.DashboardRequest;
import io.rowqueue.dashboard.http.DashboardResponse;
import io.rowqueue.dashboard.http.QueryString;
import io.rowqueue.dashboard.http.StreamedContent;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.ClassUtils;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/** The dashboard in a servlet application. */
public final class ServletDashboard {

	private static final boolean SECURITY = ClassUtils.isPresent("org.springframework.security.web.csrf.CsrfToken",
			ServletDashboard.class.getClassLoader());

	private static final Logger logger = LoggerFactory.getLogger(ServletDashboard.class);

	private final Root root;

	private final Dashboard dashboard;

	/** Creates the routes of a dashboard, below its root. */
	public ServletDashboard(Dashboard dashboard) {
		this.root = new Root(dashboard.root());
		this.dashboard = dashboard;
	}

	/** Returns the routes. */
	public RouterFunction<ServerResponse> routes() {
		return RouterFunctions.route((request) -> this.root.contains(path(request)), this::handle);
	}

	private static String path(ServerRequest request) {
		return request.requestPath().pathWithinApplication().value();
	}

	private ServerResponse handle(ServerRequest request) throws IOException {
		HttpServletRequest servlet = request.servletRequest();
		String path = this.root.below(path(request));
		String method = request.method().name();
		Content body = method.equals("POST")
				? Content.of(servlet.getInputStream().readNBytes(DashboardRequest.MAX_BODY + 1)) : Content.NONE;
		return response(this.dashboard.handle(new DashboardRequest(method, path,
				QueryString.parse(servlet.getQueryString()), body, new ServletCaller(servlet),
				(SECURITY && DashboardRequest.isSession(path)) ? Security.token(servlet) : null, servlet.isSecure())));
	}

	private static ServerResponse response(DashboardResponse response) {
		return ServerResponse.status(response.status())
			.headers((headers) -> response.headers().forEach(headers::set))
			.build((request, servlet) -> {
				if (response.stream() != null) {
					stream(response.stream(), servlet);
				}
				else {
					servlet.setContentLength(response.body().length());
					servlet.getOutputStream().write(response.body().bytes());
				}
				return null;
			});
	}

	/** After any other exception the server closes the connection. */
	private static void stream(StreamedContent content, HttpServletResponse servlet) {
		try {
			content.writeTo(servlet.getOutputStream());
		}
		catch (IOException ex) {
			logger.debug("The client has closed the connection before the end of the response", ex);
		}
	}

	/** Apart: its classes may be missing. */
	private static final class Security {

		static @Nullable CsrfToken token(HttpServletRequest request) {
			return (request.getAttribute(org.springframework.security.web.csrf.CsrfToken.class
				.getName()) instanceof org.springframework.security.web.csrf.CsrfToken token)
						? new CsrfToken(token.getHeaderName(), token.getToken()) : null;
		}

	}

}
