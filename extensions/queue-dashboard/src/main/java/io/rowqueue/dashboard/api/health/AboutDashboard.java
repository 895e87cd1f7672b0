package io.rowqueue.dashboard.api.health;

import java.util.List;

import io.rowqueue.dashboard.DashboardCaller;
import org.jspecify.annotations.Nullable;

/**
 * What the pages say about the application.
 *
 * @param title the name of the application, or {@code null}
 * @param allDatabases the address of a page that leads to the dashboards of all
 * databases, or {@code null}
 * @param environment a badge, or {@code null}
 * @param open whether everyone is admitted
 * @param unnamed what a caller who has not signed in is called
 * @param links links that each job has
 */
public record AboutDashboard(@Nullable String title, @Nullable String allDatabases, @Nullable Badge environment,
		boolean open, String unnamed, List<Link> links) {

	/** Returns who a caller is, for people. */
	public String who(DashboardCaller caller) {
		String name = caller.name();
		return (name != null) ? name : this.unnamed;
	}

	/**
	 * A badge on each page.
	 *
	 * @param label such as {@code production}
	 * @param color the name of a color, or {@code null}
	 */
	public record Badge(String label, @Nullable String color) {

	}

	/**
	 * A link to another system, such as that of the logs.
	 *
	 * @param name what the link says
	 * @param template its address, with the names of values in braces
	 */
	public record Link(String name, String template) {

	}

}
