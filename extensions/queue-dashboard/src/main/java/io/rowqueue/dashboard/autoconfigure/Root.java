package io.rowqueue.dashboard.autoconfigure;

import org.jspecify.annotations.Nullable;

/**
 * The path of the dashboard.
 *
 * @param path such as {@code /rowqueue}
 */
record Root(String path) {

	/** Whether a path of the application is one of the dashboard. */
	boolean contains(String application) {
		return application.equals(this.path) || application.startsWith(this.path + "/");
	}

	/** Returns the path below the root; {@code null}: it is the root without a slash. */
	@Nullable String below(String application) {
		return (application.length() > this.path.length()) ? application.substring(this.path.length() + 1) : null;
	}

}
