package io.pgqueue.dashboard.autoconfigure;

import java.util.List;
import java.util.Locale;
import java.util.Set;

import io.pgqueue.dashboard.DashboardCaller;
import org.jspecify.annotations.Nullable;

/**
 * Recognizes requests from this machine. The address alone says little: behind a proxy on
 * the same machine every request comes from it, a page elsewhere may have had its name
 * resolved to it, and where the server takes the address from a header a client can send
 * that.
 */
final class LocalRequests {

	private static final Set<String> HOSTS = Set.of("localhost", "127.0.0.1", "[::1]");

	private static final Set<String> ADDRESSES = Set.of("::1", "0:0:0:0:0:0:0:1");

	private static final List<String> PROXIES = List.of("Forwarded", "X-Forwarded-For", "X-Forwarded-Host",
			"X-Forwarded-Proto", "X-Forwarded-Port", "X-Forwarded-Prefix", "X-Forwarded-Ssl", "X-Forwarded-Server",
			"X-Forwarded-By", "X-Original-Forwarded-For", "X-Real-IP", "X-Client-IP", "X-Cluster-Client-IP",
			"True-Client-IP", "CF-Connecting-IP", "Via");

	private final boolean headersReplaceAddress;

	/**
	 * Creates the rule.
	 * @param headersReplaceAddress whether the server takes the address of a client from
	 * a header
	 */
	LocalRequests(boolean headersReplaceAddress) {
		this.headersReplaceAddress = headersReplaceAddress;
	}

	boolean isLocal(DashboardCaller caller) {
		return !this.headersReplaceAddress && isLoopback(caller.address()) && isLocalHost(caller.header("Host"))
				&& PROXIES.stream().allMatch((header) -> caller.header(header) == null);
	}

	private static boolean isLoopback(@Nullable String address) {
		return address != null && (address.startsWith("127.") || ADDRESSES.contains(address));
	}

	private static boolean isLocalHost(@Nullable String host) {
		if (host == null) {
			return false;
		}
		int port = host.lastIndexOf(':');
		String name = (port > host.lastIndexOf(']')) ? host.substring(0, port) : host;
		return HOSTS.contains(name.toLowerCase(Locale.ROOT));
	}

}
