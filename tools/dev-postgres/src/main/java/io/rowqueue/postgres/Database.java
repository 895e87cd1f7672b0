package io.rowqueue.postgres;

/**
 * A database on a development server.
 *
 * @param url JDBC URL
 * @param username the owner of the database
 * @param password the user's password
 */
public record Database(String url, String username, String password) {

	/** Returns the name of the database on its server. */
	String name() {
		return this.url.replaceFirst("^jdbc:postgresql:(?://[^/]*/)?([^?/]*).*", "$1");
	}

}
