package io.rowqueue.dashboard;

/**
 * Decides who may use the dashboard, and for what. A bean of this type takes precedence
 * over the properties {@code rowqueue.dashboard.allow}, {@code rowqueue.dashboard.roles}
 * and {@code rowqueue.dashboard.show-payloads}; {@code rowqueue.dashboard.access} still
 * bounds what it grants.
 *
 * <pre class="code">
 * &#064;Bean
 * DashboardAccess dashboardAccess() {
 *     return (caller) -&gt; caller.isInRole("OPS") ? DashboardRights.of(Level.OPERATE) : DashboardRights.NONE;
 * }
 * </pre>
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface DashboardAccess {

	/**
	 * Returns the rights of a caller. It is asked for each request.
	 * @param caller who sends the request
	 * @return what the caller may do and see
	 */
	DashboardRights rights(DashboardCaller caller);

}
