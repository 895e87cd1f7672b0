package io.pgqueue.dashboard.http;

import io.pgqueue.dashboard.DashboardCaller;
import io.pgqueue.dashboard.DashboardRights;
import org.jspecify.annotations.Nullable;

/** Decides who may use the dashboard, and how requests of others are answered. */
public interface Gate {

	/** Returns the rights of a caller. */
	DashboardRights rights(DashboardCaller caller);

	/**
	 * Returns the response to a caller without any right.
	 * @return {@code null}: nothing, as if the dashboard was not there
	 */
	@Nullable String refusal(DashboardCaller caller);

}
