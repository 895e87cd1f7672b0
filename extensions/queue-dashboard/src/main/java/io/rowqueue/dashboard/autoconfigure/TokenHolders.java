package io.rowqueue.dashboard.autoconfigure;

import java.util.Set;

import io.rowqueue.dashboard.DashboardCaller;
import org.jspecify.annotations.Nullable;

/**
 * Admits those who hold the token, on this machine or anywhere. That an address is one of
 * this machine says little: behind a proxy on the same machine every request comes from
 * it, and where the server takes the address from a header a client can send that.
 */
final class TokenHolders {

	private static final Set<String> ADDRESSES = Set.of("::1", "0:0:0:0:0:0:0:1");

	private final AccessToken token;

	private final boolean anywhere;

	/**
	 * Creates the rule.
	 * @param token what they hold
	 * @param anywhere whether they may be on other machines
	 */
	TokenHolders(AccessToken token, boolean anywhere) {
		this.token = token;
		this.anywhere = anywhere;
	}

	boolean admit(DashboardCaller caller) {
		return refusal(caller) == null;
	}

	/**
	 * Returns why a caller is not admitted, and what helps.
	 * @return {@code null} if the caller is admitted
	 */
	@Nullable String refusal(DashboardCaller caller) {
		if (!this.token.isHeldBy(caller)) {
			return "it does not have the token of this process. "
					+ (this.token.isRandom() ? "Open the link that was logged at start"
							: "The token is the value of rowqueue.dashboard.token")
					+ "; a program sends it as Authorization: Bearer";
		}
		if (this.anywhere) {
			return null;
		}
		if (caller.isForwarded()) {
			return "a proxy has passed it on, or may have, and the token is for this machine only."
					+ " Set rowqueue.dashboard.roles.read and the like, or rowqueue.dashboard.allow=token";
		}
		return isLoopback(caller.address()) ? null
				: "its address is not of this machine, and the token is for this"
						+ " machine only. In a container, set rowqueue.dashboard.allow=token; elsewhere,"
						+ " set rowqueue.dashboard.roles.read and the like";
	}

	private static boolean isLoopback(@Nullable String address) {
		return address != null && (address.startsWith("127.") || ADDRESSES.contains(address));
	}

}
