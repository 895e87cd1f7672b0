package io.rowqueue.lab.verify.site;

import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

import io.rowqueue.postgres.Database;
import io.rowqueue.postgres.PrivatePostgres;
import org.jspecify.annotations.Nullable;

/**
 * The database of a round. The queue's tables are in a schema of their own, which is
 * created anew for each round; nothing else in the database is touched.
 */
public class Site implements AutoCloseable {

	/** The schema of the queue under test. */
	public static final String SCHEMA = "rowqueue_verify";

	/**
	 * How the sessions of this run's workers and producers call themselves, and no other
	 * ones.
	 */
	public static final String APPLICATION = "rowqueue-verify-" + Long.toHexString(new SecureRandom().nextLong());

	private static final String CUT = "select pg_terminate_backend(pid) from pg_stat_activity"
			+ " where datname = current_database() and application_name = '" + APPLICATION + "'";

	/** Only the session that listens holds an advisory lock. */
	private static final String LISTENS = " and pid in (select pid from pg_locks where locktype = 'advisory' and granted)";

	private final Database database;

	private final @Nullable PrivatePostgres server;

	/**
	 * Creates a site.
	 * @param database where it is
	 * @param server the server, if it may be stopped
	 */
	public Site(Database database, @Nullable PrivatePostgres server) {
		this.database = database;
		this.server = server;
	}

	/** The properties that lead an application to the database. */
	public Map<String, String> properties() {
		return Map.of("spring.datasource.url", applicationUrl(), "spring.datasource.username", this.database.username(),
				"spring.datasource.password", this.database.password(), "rowqueue.schema.name", SCHEMA);
	}

	private String applicationUrl() {
		String url = url();
		return url + (url.contains("?") ? "&" : "?") + "ApplicationName=" + APPLICATION;
	}

	/** Where applications connect to. */
	protected String url() {
		return this.database.url();
	}

	/** A connection for the one who does the faults and judges. */
	public Connection connect() throws SQLException {
		Properties properties = new Properties();
		properties.setProperty("user", this.database.username());
		properties.setProperty("password", this.database.password());
		properties.setProperty("ApplicationName", "verify");
		properties.setProperty("connectTimeout", "5");
		return DriverManager.getConnection(url(), properties);
	}

	/** The databases of the queue, the first of which has the tables of the round. */
	public List<Site> databases() {
		return List.of(this);
	}

	/** Whether a broker carries jobs, so that some of them may be delivered twice. */
	public boolean hasBroker() {
		return false;
	}

	/** Counts the jobs that have not finished and can still run without intervention. */
	public long waiting() throws SQLException {
		return number("select count(*) from {}.job where state <> 'failed'");
	}

	/** Returns the number that a query counts; {} is the schema of the queue. */
	protected long number(String sql) throws SQLException {
		try (Connection connection = connect();
				Statement statement = connection.createStatement();
				ResultSet count = statement.executeQuery(sql.replace("{}", SCHEMA))) {
			count.next();
			return count.getLong(1);
		}
	}

	/** Cuts all sessions of workers and producers. */
	public void cutSessions() throws SQLException {
		try (Connection connection = connect()) {
			cutSessions(connection);
		}
	}

	/**
	 * Cuts all sessions of workers and producers.
	 * @param connection one that {@link #connect()} has opened
	 */
	public void cutSessions(Connection connection) throws SQLException {
		execute(connection, CUT);
	}

	/** Cuts the sessions of workers that LISTEN. */
	public void cutListeners() throws SQLException {
		try (Connection connection = connect()) {
			execute(connection, CUT + LISTENS);
		}
	}

	/** Where the database is. */
	Database database() {
		return this.database;
	}

	/** The server, if it may be stopped. */
	public Optional<PrivatePostgres> server() {
		return Optional.ofNullable(this.server);
	}

	/** Removes what an earlier round has left. */
	public void clear() throws SQLException {
		try (Connection connection = connect()) {
			execute(connection, "drop schema if exists " + SCHEMA + " cascade");
		}
	}

	private static void execute(Connection connection, String sql) throws SQLException {
		try (Statement statement = connection.createStatement()) {
			statement.execute(sql);
		}
	}

	@Override
	public void close() {
		// most sites are used again
	}

}
