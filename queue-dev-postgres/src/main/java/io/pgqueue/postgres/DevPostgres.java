package io.pgqueue.postgres;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Properties;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A real PostgreSQL for development and tests that needs nothing installed: the server
 * that {@code -Dpostgres.url} or {@code POSTGRES_URL} names, else a container if a Docker
 * engine answers, else server binaries from Maven. {@code -Dpostgres.provider} (auto,
 * url, docker, embedded) forces one, {@code -Dpostgres.version} chooses the version of a
 * container. With {@code -Dpostgres.publication=true} each database that
 * {@link #createDatabase} creates has a publication for all tables, in which PostgreSQL
 * refuses what logical replication could not repeat.
 * <p>
 * A server that was started here is used by all JVMs that ask for it, and stops by itself
 * when nobody is connected any more, whatever way its users ended.
 */
public final class DevPostgres implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(DevPostgres.class);

	private static @Nullable DevPostgres sharedServer;

	private final Database server;

	private final @Nullable KeptServer kept;

	private final @Nullable CreatedDatabases created;

	private final String version;

	private DevPostgres(Database server, @Nullable KeptServer kept) {
		this.server = server;
		this.kept = kept;
		this.created = (kept == null) ? new CreatedDatabases(server) : null;
		this.version = queryVersion();
	}

	/**
	 * The server for tests, the same for every JVM of a build. Its data is gone when it
	 * stops, about a minute after its last client left; closing it is not necessary and
	 * does nothing.
	 * @return the server
	 * @throws IllegalStateException if there is none, or not the one that was asked for
	 */
	public static DevPostgres shared() {
		synchronized (DevPostgres.class) {
			if (sharedServer == null) {
				sharedServer = open(new ServerSettings(Places.ofThisUser().shared(requestedVersion(), provider()),
						false, provider(), requestedVersion(), Linger.DEFAULT));
			}
			return sharedServer;
		}
	}

	/**
	 * A server with its data in a directory, unless one is given by its URL. It comes
	 * from binaries, Docker is the second choice. It outlives a killed application for a
	 * minute, and stops at once when its last user closes it.
	 * @param directory where data, logs and connection facts are kept; created if absent
	 * @return the server
	 * @throws IllegalStateException if there is none, or not the one that was asked for
	 */
	public static DevPostgres in(Path directory) {
		return open(new ServerSettings(directory.toAbsolutePath().normalize(), true, provider(), requestedVersion(),
				Linger.DEFAULT));
	}

	static DevPostgres open(ServerSettings settings) {
		Optional<Database> given = GivenServer.find();
		if (settings.provider() == Provider.URL && given.isEmpty()) {
			throw new IllegalStateException(
					"postgres.provider is url, but neither -Dpostgres.url nor POSTGRES_URL is given");
		}
		if (given.isPresent() && (settings.provider() == Provider.AUTO || settings.provider() == Provider.URL)) {
			DevPostgres postgres = new DevPostgres(given.get(), null);
			logger.info("PostgreSQL {} at {} (given by its URL)", postgres.version, given.get().url());
			return postgres;
		}
		KeptServer kept = KeptServer.acquire(settings);
		DevPostgres postgres = new DevPostgres(kept.database(), kept);
		logger.info("PostgreSQL {} from {} at {} ({}); files in {}", postgres.version,
				(kept.facts().provider() == Provider.DOCKER) ? "Docker" : "embedded binaries", kept.facts().url(),
				kept.facts().reason(), settings.home());
		return postgres;
	}

	/**
	 * Creates a database that nobody has used before. On a server that was given by its
	 * URL it is dropped when this JVM ends.
	 * @param prefix beginning of its name: lower-case letters, digits and underscores
	 * @return the database
	 */
	public Database createDatabase(String prefix) {
		String name = prefix + "_" + Long.toString(new SecureRandom().nextLong() >>> 1, Character.MAX_RADIX);
		Database database = execute((connection) -> {
			Connections.execute(connection, "create database " + quoted(name));
			if (this.created != null) {
				this.created.add(name);
			}
			return named(name);
		});
		if (Boolean.getBoolean("postgres.publication")) {
			execute(database, (connection) -> {
				Connections.execute(connection, "create publication everything for all tables");
				return database;
			});
		}
		return database;
	}

	/**
	 * The database of that name, created if absent.
	 * @param name lower-case letters, digits and underscores
	 * @return the database
	 */
	public Database database(String name) {
		return execute((connection) -> {
			// one at a time: "create database" knows no "if not exists"
			Connections.execute(connection, "select pg_advisory_lock(hashtext('dev-postgres'))");
			String found = Connections.query(connection,
					"select count(*) from pg_database where datname = '" + quoted(name).replace("\"", "") + "'");
			if (found.equals("0")) {
				Connections.execute(connection, "create database " + quoted(name));
			}
			return named(name);
		});
	}

	/**
	 * The version that the server tells.
	 * @return version, such as {@code 18.1}
	 */
	public String version() {
		return this.version;
	}

	/**
	 * Says that this user is done. A server in a directory stops at once if this was the
	 * last one.
	 */
	@Override
	public void close() {
		if (this.kept != null && this.kept.durable()) {
			this.kept.leave();
		}
	}

	private Database named(String name) {
		return new Database(this.server.url().replaceFirst("^(jdbc:postgresql:(?://[^/]*/)?)[^?/]*", "$1" + name),
				this.server.username(), this.server.password());
	}

	private String queryVersion() {
		return execute((connection) -> Connections.query(connection, "show server_version").split(" ", -1)[0]);
	}

	private <T> T execute(Statements<T> statements) {
		return execute(this.server, statements);
	}

	private static <T> T execute(Database database, Statements<T> statements) {
		try (Connection connection = Connections.open(database, "dev-postgres")) {
			return statements.run(connection);
		}
		catch (SQLException ex) {
			throw new IllegalStateException("PostgreSQL at " + database.url() + ": " + ex.getMessage(), ex);
		}
	}

	private static String quoted(String name) {
		if (!name.matches("[a-z0-9_]{1,63}")) {
			throw new IllegalArgumentException(
					"A database's name is of lower-case letters, digits and underscores, unlike '" + name + "'");
		}
		return '"' + name + '"';
	}

	private static Provider provider() {
		return Provider.of(System.getProperty("postgres.provider", "auto"));
	}

	private static String requestedVersion() {
		String property = System.getProperty("postgres.version");
		if (property != null) {
			return property;
		}
		try (InputStream stream = DevPostgres.class.getResourceAsStream("dev-postgres.properties")) {
			Properties properties = new Properties();
			properties.load(stream);
			return properties.getProperty("version");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@FunctionalInterface
	private interface Statements<T> {

		T run(Connection connection) throws SQLException;

	}

}
