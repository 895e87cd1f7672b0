package io.rowqueue.dashboard.autoconfigure;

import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * The names of the server that are answered. A page elsewhere may have had its own name
 * resolved to this server: its requests then come from wherever its visitor is.
 *
 * @param names names as the header {@code Host} has them, without a port
 */
record HostNames(Set<String> names) {

	private static final String ANY = "*";

	/** Names of this machine, which nobody else can have. */
	static final HostNames LOOPBACK = new HostNames(Set.of("localhost", "127.0.0.1", "[::1]"));

	HostNames {
		names = names.stream().map((name) -> name.toLowerCase(Locale.ROOT)).collect(Collectors.toUnmodifiableSet());
	}

	boolean answer(@Nullable String host) {
		if (this.names.isEmpty() || this.names.contains(ANY)) {
			return true;
		}
		if (host == null) {
			return false;
		}
		int port = host.lastIndexOf(':');
		String name = (port > host.lastIndexOf(']')) ? host.substring(0, port) : host;
		return this.names.contains(name.toLowerCase(Locale.ROOT));
	}

}
