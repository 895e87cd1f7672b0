package io.rowqueue.dashboard.http;

import io.rowqueue.dashboard.DashboardCaller;
import io.rowqueue.dashboard.DashboardRights;
import org.jspecify.annotations.Nullable;

/**
 * Decides who may use the dashboard, and how requests of others are answered. What it
 * refuses, and what it shows to few, leaves a trace.
 */
public interface Gate {

	/** Returns the rights of a caller. */
	DashboardRights rights(DashboardCaller caller);

	/**
	 * Returns the cookie by which a caller with the token is known from now on.
	 * @param secure whether it is only sent by HTTPS
	 * @return {@code null} if no token opens the dashboard, or the caller has another one
	 */
	default @Nullable String cookie(DashboardCaller caller, boolean secure) {
		return null;
	}

	/**
	 * Returns the response to a caller without any right.
	 * @return {@code null}: nothing, as if the dashboard was not there
	 */
	@Nullable String refusal(DashboardCaller caller);

	/** Is called when a caller is refused who wanted to change something. */
	default void refused(DashboardRequest request, String reason) {
	}

	/** Is called when a caller is shown what is hidden from others, if it has changed. */
	default void shown(DashboardRequest request) {
	}

}
