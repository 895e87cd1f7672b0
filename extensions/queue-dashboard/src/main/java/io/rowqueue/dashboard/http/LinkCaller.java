package io.rowqueue.dashboard.http;

import io.rowqueue.dashboard.DashboardCaller;
import org.jspecify.annotations.Nullable;

/**
 * Who opens a link with the token, as if a program had sent it.
 *
 * @param caller who sends the request
 * @param token the token of the link
 */
record LinkCaller(DashboardCaller caller, String token) implements DashboardCaller {

	@Override
	public @Nullable String name() {
		return this.caller.name();
	}

	@Override
	public @Nullable String address() {
		return this.caller.address();
	}

	@Override
	public boolean isForwarded() {
		return this.caller.isForwarded();
	}

	@Override
	public boolean isInRole(String role) {
		return this.caller.isInRole(role);
	}

	@Override
	public @Nullable String header(String name) {
		return name.equalsIgnoreCase("Authorization") ? "Bearer " + this.token : this.caller.header(name);
	}

}
