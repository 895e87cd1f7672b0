package io.rowqueue.dashboard;

import org.jspecify.annotations.Nullable;

/**
 * Who sends a request to the dashboard.
 *
 * @since 0.1.0
 */
public interface DashboardCaller {

	/**
	 * The name of the principal.
	 * @return {@code null} if the caller has not signed in
	 */
	@Nullable String name();

	/**
	 * The address that the request comes from, as the server sees it.
	 * @return such as {@code 127.0.0.1}; {@code null} if it is not known
	 */
	@Nullable String address();

	/**
	 * Whether a proxy has passed the request on, as far as it says so: by a header of the
	 * request as it was received, also if a filter has removed it since. The address may
	 * be what the header says then.
	 * @return false also for a proxy that adds no header
	 */
	boolean isForwarded();

	/**
	 * Whether the principal has a role.
	 * @param role its name, with or without the prefix of Spring Security
	 * @return false also for a caller that has not signed in
	 */
	boolean isInRole(String role);

	/**
	 * A header of the request.
	 * @param name its name, in any case
	 * @return the first value; {@code null} if there is none
	 */
	@Nullable String header(String name);

	/**
	 * The interface that was used, for the record of what the caller does.
	 * @return {@code dashboard}, or {@code mcp} for an assistant
	 */
	default String via() {
		return "dashboard";
	}

}
