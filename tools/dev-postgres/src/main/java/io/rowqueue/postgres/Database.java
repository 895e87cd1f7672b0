package io.rowqueue.postgres;

import org.postgresql.ds.PGSimpleDataSource;

/**
 * A database on a development server.
 *
 * @param url JDBC URL
 * @param username the owner of the database
 * @param password the user's password
 */
public record Database(String url, String username, String password) {

	/**
	 * A database of a server on this machine. The driver does not ask for an encrypted
	 * session: it gives up when a server that is busy does not refuse one within five
	 * seconds.
	 */
	static Database local(int port, String name, String password) {
		return new Database("jdbc:postgresql://127.0.0.1:" + port + "/" + name + "?sslmode=disable", "postgres",
				password);
	}

	/**
	 * Returns a data source that opens a connection for each caller.
	 * @return a new data source
	 */
	public PGSimpleDataSource dataSource() {
		PGSimpleDataSource dataSource = new PGSimpleDataSource();
		dataSource.setUrl(this.url);
		dataSource.setUser(this.username);
		dataSource.setPassword(this.password);
		return dataSource;
	}

	/**
	 * Returns the properties that lead an application to the database.
	 * @param prefix what their names begin with, such as {@code spring.datasource}
	 * @return names and values, such as {@code spring.datasource.username=postgres}
	 */
	public String[] properties(String prefix) {
		return new String[] { prefix + ".url=" + this.url, prefix + ".username=" + this.username,
				prefix + ".password=" + this.password };
	}

	/** Returns the name of the database on its server. */
	String name() {
		return this.url.replaceFirst("^jdbc:postgresql:(?://[^/]*/)?([^?/]*).*", "$1");
	}

}
