package io.rowqueue.dashboard.http;

/** The pages and the files that they load. */
public interface Pages {

	/** What paths of files begin with. */
	String ASSETS = "assets/";

	/**
	 * Returns the document that every page begins with.
	 * @param path the path of the page below the root of its shard
	 * @param up the way from there to the root of the dashboard; empty: it is the same
	 */
	DashboardResponse page(String path, String up);

	/**
	 * Returns a file.
	 * @param path its path behind {@link #ASSETS}
	 * @param acceptEncoding the encodings that the browser accepts
	 */
	DashboardResponse asset(String path, String acceptEncoding);

	/**
	 * Returns a page for a user who may not see the dashboard.
	 * @param detail the reason
	 */
	DashboardResponse refusal(String detail);

}
