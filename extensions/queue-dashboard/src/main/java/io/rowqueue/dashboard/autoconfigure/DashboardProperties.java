package io.rowqueue.dashboard.autoconfigure;

import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

import io.rowqueue.dashboard.Level;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.Assert;

/**
 * The dashboard.
 *
 * @param enabled Whether the dashboard is there.
 * @param path Path of the dashboard, below the application's context path.
 * @param allow Who may see the dashboard: holders of the token on this machine, holders
 * of the token anywhere, principals with roles, every principal, or everyone. By default,
 * principals with roles if any role is set, otherwise holders of the token on this
 * machine.
 * @param token The token that opens the dashboard where rowqueue.dashboard.allow is local
 * or token. By default a random one for each process, which is logged at start.
 * @param hosts Names of the server that are answered, as the header Host has them,
 * without a port; * means any. By default localhost, 127.0.0.1 and [::1] where the token
 * opens the dashboard, otherwise any.
 * @param access How much callers may do at most.
 * @param roles Roles of those who may see the dashboard.
 * @param showPayloads When to show payloads, results, unique keys, limit keys, error
 * messages and stack traces: never, to principals with one of
 * rowqueue.dashboard.roles.payloads (all principals if that is empty), or always. By
 * default, to holders of the token and to principals with one of these roles.
 * @param title Title of the pages; by default the name of the application.
 * @param allDatabases Address of a page that leads to this dashboard and to those of
 * other databases: each page has a link to it.
 * @param environment Badge on each page, such as production.
 * @param links Links on the page of each job, by what they say: addresses in which
 * {jobId}, {type}, {queue} and {traceId} are replaced.
 * @param connections Connections of the dashboard's own pool.
 * @param frameAncestors Who may show the dashboard in a frame, as the header
 * Content-Security-Policy writes it.
 */
@ConfigurationProperties("rowqueue.dashboard")
record DashboardProperties(@DefaultValue("true") boolean enabled, @DefaultValue("/rowqueue") String path,
		@Nullable Allow allow, @Nullable String token, @DefaultValue Set<String> hosts,
		@DefaultValue("unrestricted") Access access, @DefaultValue Roles roles, @Nullable ShowPayloads showPayloads,
		@Nullable String title, @Nullable String allDatabases, @DefaultValue Environment environment,
		@DefaultValue Map<String, String> links, @DefaultValue("3") int connections,
		@DefaultValue("'none'") String frameAncestors) {

	private static final Pattern PATH = Pattern.compile("(/[A-Za-z0-9._-]+)+");

	private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9._~-]{20,}");

	private static final Pattern HOST = Pattern.compile("[^/:\\s]+|\\[[0-9A-Fa-f:.]+]");

	private static final Pattern LINK = Pattern.compile("https?://|/");

	private static final Pattern ABOVE = Pattern.compile("https?://|(\\.\\.)?/");

	DashboardProperties {
		Assert.isTrue(PATH.matcher(path).matches(), () -> "rowqueue.dashboard.path must be a path such as /rowqueue"
				+ " of letters, digits, dots, dashes and underscores, not '" + path + "'");
		Assert.isTrue(token == null || TOKEN.matcher(token).matches(),
				"rowqueue.dashboard.token must have 20 characters or more, of letters, digits, '.', '_', '~' and '-',"
						+ " such as those that openssl rand -hex 16 prints");
		hosts.forEach((host) -> Assert.isTrue(HOST.matcher(host).matches(),
				() -> "rowqueue.dashboard.hosts must be names without a port, such as shop.example.org, not '" + host
						+ "'"));
		Assert.isTrue(allDatabases == null || ABOVE.matcher(allDatabases).lookingAt(),
				() -> "rowqueue.dashboard.all-databases must begin with https://, http://, / or ../, not '"
						+ allDatabases + "'");
		links.forEach(
				(name, address) -> Assert.isTrue(LINK.matcher(address).lookingAt(), () -> "rowqueue.dashboard.links."
						+ name + " must begin with https://, http:// or /, not '" + address + "'"));
		Assert.isTrue(connections > 0 && connections <= 20,
				() -> "rowqueue.dashboard.connections must be from 1 to 20, not " + connections);
		Assert.isTrue(!frameAncestors.isBlank() && frameAncestors.indexOf(';') < 0,
				"rowqueue.dashboard.frame-ancestors must be a list of sources, such as 'none' or https://portal.example.org");
	}

	/** Returns who may see the dashboard. */
	Allow whoIsAllowed() {
		if (this.allow != null) {
			return this.allow;
		}
		return this.roles.isEmpty() ? Allow.LOCAL : Allow.ROLES;
	}

	/** Whether the token opens the dashboard, unless a bean decides. */
	boolean isByToken() {
		return whoIsAllowed() == Allow.LOCAL || whoIsAllowed() == Allow.TOKEN;
	}

	/** Who may see the dashboard. */
	enum Allow {

		/** Holders of the token on this machine. */
		LOCAL,

		/** Holders of the token anywhere. */
		TOKEN,

		/** Principals with roles. */
		ROLES,

		/** Every principal. */
		AUTHENTICATED,

		/** Everyone. */
		EVERYONE

	}

	/** How much callers may do at most. */
	enum Access {

		/** Nothing: the dashboard does not answer. */
		NONE(Level.NONE),

		/** See it. */
		READ_ONLY(Level.READ),

		/** All that their level allows. */
		UNRESTRICTED(Level.ADMIN);

		private final Level max;

		Access(Level max) {
			this.max = max;
		}

		Level max() {
			return this.max;
		}

	}

	/** When to show payloads and the like. */
	enum ShowPayloads {

		/** To no user. */
		NEVER,

		/** To principals with a role for it. */
		WHEN_AUTHORIZED,

		/** To everyone who may see the dashboard. */
		ALWAYS

	}

	/**
	 * Roles of those who may see the dashboard.
	 *
	 * @param read Roles that may look.
	 * @param operate Roles that may also retry, cancel, reschedule, prioritize, pause,
	 * resume, hold, release, trigger and backfill, and change workers.
	 * @param admin Roles that may also change limits, fairness weights and payloads,
	 * enqueue, signal and erase jobs, and remove schedules and windows.
	 * @param payloads Roles that are shown payloads where
	 * rowqueue.dashboard.show-payloads=when-authorized, or not set.
	 */
	record Roles(@DefaultValue Set<String> read, @DefaultValue Set<String> operate, @DefaultValue Set<String> admin,
			@DefaultValue Set<String> payloads) {

		boolean isEmpty() {
			return this.read.isEmpty() && this.operate.isEmpty() && this.admin.isEmpty();
		}

	}

	/**
	 * Badge on each page.
	 *
	 * @param label What the badge says, such as production.
	 * @param color Color of the badge.
	 */
	record Environment(@Nullable String label, @Nullable Color color) {

	}

	/** Color of the badge. */
	enum Color {

		/** Red. */
		RED,

		/** Amber. */
		AMBER,

		/** Green. */
		GREEN,

		/** Blue. */
		BLUE,

		/** Grey. */
		GREY

	}

}
