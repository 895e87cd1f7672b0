package io.pgqueue.dashboard.autoconfigure;

import java.util.Set;

import io.pgqueue.dashboard.DashboardAccess;
import io.pgqueue.dashboard.DashboardCaller;
import io.pgqueue.dashboard.DashboardRights;
import io.pgqueue.dashboard.Level;

/** Decides by the properties who may use the dashboard, and for what. */
final class PropertyAccess implements DashboardAccess {

	private final DashboardProperties properties;

	private final LocalRequests local;

	PropertyAccess(DashboardProperties properties, LocalRequests local) {
		this.properties = properties;
		this.local = local;
	}

	@Override
	public DashboardRights rights(DashboardCaller caller) {
		Level level = level(caller);
		DashboardRights rights = DashboardRights.of(level);
		return (level != Level.NONE && seesPayloads(caller)) ? rights.withPayloads() : rights;
	}

	private Level level(DashboardCaller caller) {
		boolean admitted = switch (this.properties.whoIsAllowed()) {
			case LOCAL -> this.local.isLocal(caller);
			case ROLES -> false; // by their roles only
			case AUTHENTICATED -> caller.name() != null;
			case EVERYONE -> true;
		};
		if (admitted && this.properties.roles().isEmpty()) {
			return Level.ADMIN;
		}
		if (!admitted && this.properties.whoIsAllowed() != DashboardProperties.Allow.ROLES) {
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
		return switch (this.properties.showPayloads()) {
			case NEVER -> false;
			case ALWAYS -> true;
			case WHEN_AUTHORIZED -> caller.name() != null && (this.properties.roles().payloads().isEmpty()
					|| hasOne(caller, this.properties.roles().payloads()));
		};
	}

	private static boolean hasOne(DashboardCaller caller, Set<String> roles) {
		return caller.name() != null && roles.stream().anyMatch(caller::isInRole);
	}

}
