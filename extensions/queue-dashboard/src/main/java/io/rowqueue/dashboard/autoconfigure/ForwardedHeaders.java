package io.rowqueue.dashboard.autoconfigure;

import java.util.List;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/** The headers of proxies, by which the address of a client may be replaced. */
final class ForwardedHeaders {

	private static final List<String> NAMES = List.of("Forwarded", "X-Forwarded-For", "X-Forwarded-Host",
			"X-Forwarded-Proto", "X-Forwarded-Port", "X-Forwarded-Prefix", "X-Forwarded-Ssl", "X-Forwarded-Server",
			"X-Forwarded-By", "X-Original-Forwarded-For", "X-Real-IP", "X-Client-IP", "X-Cluster-Client-IP",
			"True-Client-IP", "CF-Connecting-IP", "Via");

	private ForwardedHeaders() {
	}

	/** Whether a request has one of them. */
	static boolean areIn(Function<String, @Nullable String> header) {
		return NAMES.stream().anyMatch((name) -> header.apply(name) != null);
	}

}
