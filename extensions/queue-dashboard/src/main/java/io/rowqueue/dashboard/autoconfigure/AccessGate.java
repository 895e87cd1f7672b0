package io.rowqueue.dashboard.autoconfigure;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.rowqueue.dashboard.DashboardAccess;
import io.rowqueue.dashboard.DashboardCaller;
import io.rowqueue.dashboard.DashboardRights;
import io.rowqueue.dashboard.Level;
import io.rowqueue.dashboard.http.DashboardRequest;
import io.rowqueue.dashboard.http.Gate;
import io.rowqueue.engine.support.LogText;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The {@link DashboardAccess} within the bounds of the properties. */
final class AccessGate implements Gate {

	private static final Logger logger = LoggerFactory.getLogger(AccessGate.class);

	private static final int MAX_LOGGED = 100;

	private final DashboardAccess access;

	private final DashboardProperties properties;

	private final AccessToken token;

	private final TokenHolders holders;

	private final HostNames hosts;

	private final AuditTrail trail;

	private final Set<String> logged = ConcurrentHashMap.newKeySet();

	/**
	 * Creates the gate.
	 * @param bean decides who is admitted; {@code null}: the properties do
	 * @param properties the bounds
	 * @param token opens the dashboard if the properties say so
	 * @param trail has what is refused, and what is shown to few
	 */
	AccessGate(@Nullable DashboardAccess bean, DashboardProperties properties, AccessToken token, AuditTrail trail) {
		this.trail = trail;
		this.properties = properties;
		this.token = token;
		this.holders = new TokenHolders(token, properties.whoIsAllowed() == DashboardProperties.Allow.TOKEN);
		this.access = (bean != null) ? bean : new PropertyAccess(properties, this.holders);
		this.hosts = (properties.hosts().isEmpty() && isByToken()) ? HostNames.LOOPBACK
				: new HostNames(properties.hosts());
	}

	private boolean isByToken() {
		return byProperties() && this.properties.isByToken();
	}

	private boolean byProperties() {
		return this.access instanceof PropertyAccess;
	}

	@Override
	public DashboardRights rights(DashboardCaller caller) {
		Level max = this.properties.access().max();
		return (max == Level.NONE || !this.hosts.answer(caller.header("Host"))) ? DashboardRights.NONE
				: this.access.rights(caller).atMost(max);
	}

	@Override
	public @Nullable String cookie(DashboardCaller caller, boolean secure) {
		return (isByToken() && rights(caller).level() != Level.NONE) ? this.token.cookie(caller.header("Host"), secure)
				: null;
	}

	/** Where signing in would not help, nothing shows that there is a dashboard. */
	@Override
	public @Nullable String refusal(DashboardCaller caller) {
		if (this.properties.access().max() == Level.NONE) {
			return null;
		}
		if (!this.hosts.answer(caller.header("Host"))) {
			log(caller,
					"its header Host is none of the names that rowqueue.dashboard.hosts has (by default localhost)");
			return null;
		}
		if (isByToken()) {
			String reason = this.holders.refusal(caller);
			if (reason != null) {
				log(caller, reason);
			}
			return null;
		}
		if (caller.name() == null) {
			return "Sign in to the application first.";
		}
		return byProperties() ? "You need one of the roles that rowqueue.dashboard.roles names."
				: "The application does not allow you to see it.";
	}

	@Override
	public void refused(DashboardRequest request, String reason) {
		this.trail.refused(request, reason);
	}

	@Override
	public void shown(DashboardRequest request) {
		this.trail.shown(request);
	}

	private static String shown(@Nullable String text) {
		return (text != null) ? LogText.oneLine(text, MAX_LOGGED) : "?";
	}

	/** Once for each reason: it is for those who set the application up. */
	private void log(DashboardCaller caller, String reason) {
		if (this.logged.add(reason)) {
			logger.info("The dashboard did not answer a request from {} to {}: {}", shown(caller.address()),
					shown(caller.header("Host")), reason);
		}
	}

}
