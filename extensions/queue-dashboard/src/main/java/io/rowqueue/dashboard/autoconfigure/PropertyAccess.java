package io.rowqueue.dashboard.autoconfigure;

import java.util.Set;

import io.rowqueue.dashboard.DashboardAccess;
import io.rowqueue.dashboard.DashboardCaller;
import io.rowqueue.dashboard.DashboardRights;
import io.rowqueue.dashboard.Level;
import io.rowqueue.dashboard.autoconfigure.DashboardProperties.Allow;
import io.rowqueue.dashboard.autoconfigure.DashboardProperties.ShowPayloads;

/** Decides by the properties who may use the dashboard, and for what. */
final class PropertyAccess implements DashboardAccess {

	private final DashboardProperties properties;

	private final TokenHolders holders;

	PropertyAccess(DashboardProperties properties, TokenHolders holders) {
		this.properties = properties;
		this.holders = holders;
	}

	@Override
	public DashboardRights rights(DashboardCaller caller) {
		Level level = level(caller);
		DashboardRights rights = DashboardRights.of(level);
		return (level != Level.NONE && seesPayloads(caller)) ? rights.withPayloads() : rights;
	}

	private Level level(DashboardCaller caller) {
		boolean admitted = switch (this.properties.whoIsAllowed()) {
			case LOCAL, TOKEN -> this.holders.admit(caller);
			case ROLES -> false; // by their roles only
			case AUTHENTICATED -> caller.name() != null;
			case EVERYONE -> true;
		};
		if (admitted && this.properties.roles().isEmpty()) {
			return (this.properties.whoIsAllowed() == Allow.AUTHENTICATED) ? Level.READ : Level.ADMIN;
		}
		if (!admitted && this.properties.whoIsAllowed() != Allow.ROLES) {
			return Level.NONE;
		}
		Level byRole = byRole(caller);
		return (admitted && byRole == Level.NONE) ? Level.READ : byRole;
	}

	private Level byRole(DashboardCaller caller) {
		DashboardProperties.Roles roles = this.properties.roles();
		if (hasOne(caller, roles.admin())) {
			return Level.ADMIN;
		}
		if (hasOne(caller, roles.operate())) {
			return Level.OPERATE;
		}
		return hasOne(caller, roles.read()) ? Level.READ : Level.NONE;
	}

	private boolean seesPayloads(DashboardCaller caller) {
		boolean byToken = this.properties.isByToken();
		ShowPayloads shown = this.properties.showPayloads();
		return (shown == null) ? byToken || hasOne(caller, this.properties.roles().payloads()) : switch (shown) {
			case NEVER -> false;
			case ALWAYS -> true;
			case WHEN_AUTHORIZED -> (byToken || caller.name() != null) && (this.properties.roles().payloads().isEmpty()
					|| hasOne(caller, this.properties.roles().payloads()));
		};
	}

	private static boolean hasOne(DashboardCaller caller, Set<String> roles) {
		return caller.name() != null && roles.stream().anyMatch(caller::isInRole);
	}

}
