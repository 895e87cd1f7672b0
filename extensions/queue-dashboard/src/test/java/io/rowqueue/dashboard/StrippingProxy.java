package io.rowqueue.dashboard;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

/**
 * A proxy that shows a path of a server under another one, without headers about it.
 */
final class StrippingProxy implements AutoCloseable {

	private static final Set<String> NOT_PASSED_ON = Set.of("host", "connection", "content-length", "upgrade",
			"http2-settings", "transfer-encoding", ":status");

	private final HttpServer server;

	private final String path;

	private final int target;

	private final String targetPath;

	StrippingProxy(String path, int target, String targetPath) throws IOException {
		this.path = path;
		this.target = target;
		this.targetPath = targetPath;
		this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		this.server.createContext(path, this::passOn);
		this.server.start();
	}

	int port() {
		return this.server.getAddress().getPort();
	}

	private void passOn(HttpExchange exchange) throws IOException {
		try (exchange) {
			String asked = exchange.getRequestURI().toString();
			List<String> headers = new ArrayList<>(List.of("Host", "localhost:" + this.target));
			exchange.getRequestHeaders().forEach((name, values) -> {
				if (!NOT_PASSED_ON.contains(name.toLowerCase(Locale.ROOT))) {
					headers.addAll(List.of(name, values.get(0)));
				}
			});
			HttpResponse<String> response = Host.send(this.target, exchange.getRequestMethod(),
					this.targetPath + asked.substring(this.path.length()), null, headers.toArray(String[]::new));
			response.headers().map().forEach((name, values) -> {
				if (!NOT_PASSED_ON.contains(name)) {
					exchange.getResponseHeaders().put(name, values);
				}
			});
			byte[] body = response.body().getBytes(StandardCharsets.UTF_8);
			exchange.sendResponseHeaders(response.statusCode(), (body.length > 0) ? body.length : -1);
			exchange.getResponseBody().write(body);
		}
	}

	@Override
	public void close() {
		this.server.stop(0);
	}

}
