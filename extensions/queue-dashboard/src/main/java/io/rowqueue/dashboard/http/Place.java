package io.rowqueue.dashboard.http;

import org.jspecify.annotations.Nullable;

/**
 * Where a path leads. Below {@code shards/eu/} there is the whole dashboard once more,
 * and shows the shard {@code eu}: links and addresses of the API are relative, and stay
 * there.
 *
 * @param shard the name of the shard as paths write it; {@code null}: the home shard
 * @param path the path below the shard; {@code null}: its root without a slash at the end
 */
record Place(@Nullable String shard, @Nullable String path) {

	private static final String SHARDS = "shards/";

	/** The way from the root of a shard to the root of the dashboard. */
	private static final String UP = "../../";

	static Place of(@Nullable String path) {
		if (path == null || !path.startsWith(SHARDS)) {
			return new Place(null, path);
		}
		String below = path.substring(SHARDS.length());
		int slash = below.indexOf('/');
		return (slash < 0) ? new Place(below, null) : new Place(below.substring(0, slash), below.substring(slash + 1));
	}

	/** Returns the way from the root of the shard to the root of the dashboard. */
	String up() {
		return (this.shard == null) ? "" : UP;
	}

}
