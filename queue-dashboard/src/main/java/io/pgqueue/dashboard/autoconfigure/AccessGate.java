package io.pgqueue.dashboard.autoconfigure;

import io.pgqueue.dashboard.DashboardAccess;
import io.pgqueue.dashboard.DashboardCaller;
import io.pgqueue.dashboard.DashboardRights;
import io.pgqueue.dashboard.Level;
import io.pgqueue.dashboard.autoconfigure.DashboardProperties.Allow;
import io.pgqueue.dashboard.http.Gate;
import org.jspecify.annotations.Nullable;

/** The {@link DashboardAccess} within the bounds of the properties. */
final class AccessGate implements Gate {

	private final DashboardAccess access;

	private final DashboardProperties properties;

	AccessGate(DashboardAccess access, DashboardProperties properties) {
		this.access = access;
		this.properties = properties;
	}

	@Override
	public DashboardRights rights(DashboardCaller caller) {
		Level max = this.properties.access().max();
		return (max == Level.NONE) ? DashboardRights.NONE : this.access.rights(caller).atMost(max);
	}

	/** Where signing in would not help, nothing shows that there is a dashboard. */
	@Override
	public @Nullable String refusal(DashboardCaller caller) {
		boolean byProperties = this.access instanceof PropertyAccess;
		if (this.properties.access().max() == Level.NONE
				|| (byProperties && this.properties.whoIsAllowed() == Allow.LOCAL)) {
			return null;
		}
		if (caller.name() == null) {
			return "Sign in to the application first.";
		}
		return byProperties ? "You need one of the roles that pgqueue.dashboard.roles names."
				: "The application does not allow you to see it.";
	}

}
