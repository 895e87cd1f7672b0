package io.rowqueue.postgres;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A real PostgreSQL for development and tests that needs nothing installed: the server
 * that {@code -Dpostgres.url} or {@code POSTGRES_URL} names, else server binaries from
 * Maven. With {@code -Dpostgres.publication=true} each database that
 * {@link #createDatabase} creates has a publication for all tables, in which PostgreSQL
 * refuses what logical replication could not repeat.
 * <p>
 * A server that was started here is shared by all JVMs of this user, and stops by itself
 * when no session is connected any more, however its users ended.
 */
public final class DevPostgres implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(DevPostgres.class);

	private static @Nullable DevPostgres sharedServer;

	private final Database server;

	private final @Nullable SharedServer started;

	private final @Nullable CreatedDatabases created;

	private final String version;

	private final Map<String, Database> templates = new ConcurrentHashMap<>();

	DevPostgres(Database server, @Nullable SharedServer started) {
		this.server = server;
		this.started = started;
		this.created = (started == null) ? new CreatedDatabases(server) : null;
		this.version = execute((connection) -> Connections.query(connection, "show server_version")).split(" ", -1)[0];
		logger.info("PostgreSQL {} at {}{}", this.version, server.url(),
				(started == null) ? " (given by its URL)" : "");
	}

	/**
	 * The server for tests, the same for every JVM of a build. It stops about a minute
	 * after its last client left, and begins without data when it is started again;
	 * closing it is not necessary.
	 * @return the server
	 * @throws IllegalStateException if there is none
	 */
	public static DevPostgres shared() {
		synchronized (DevPostgres.class) {
			if (sharedServer == null) {
				sharedServer = open(Places.ofThisUser()::shared, false, Duration.ofMinutes(1));
			}
			return sharedServer;
		}
	}

	/**
	 * A server with its data in a directory, unless one is given by its URL. It stops a
	 * few seconds after its last client left.
	 * @param directory where data and logs are kept; created if absent
	 * @return the server
	 * @throws IllegalStateException if there is none, or the data is of another version
	 */
	public static DevPostgres in(Path directory) {
		return open(() -> directory.toAbsolutePath().normalize(), true, Duration.ofSeconds(5));
	}

	private static DevPostgres open(Supplier<Path> home, boolean durable, Duration linger) {
		Optional<Database> given = GivenServer.find();
		if (given.isPresent()) {
			return new DevPostgres(given.get(), null);
		}
		SharedServer started = SharedServer.open(home.get(), durable, linger);
		return new DevPostgres(started.database(), started);
	}

	/**
	 * Creates a new database. On a server that was given by its URL it is dropped when
	 * this JVM ends.
	 * @param prefix beginning of its name: lower-case letters, digits and underscores
	 * @return the database
	 */
	public Database createDatabase(String prefix) {
		Database database = create(prefix, "");
		if (Boolean.getBoolean("postgres.publication")) {
			execute(database, (connection) -> {
				Connections.execute(connection, "create publication everything for all tables");
				return database;
			});
		}
		return database;
	}

	/**
	 * Creates a copy of a database, which is faster than to create its tables again. On a
	 * server that was given by its URL the copy is dropped when this JVM ends.
	 * @param prefix beginning of its name: lower-case letters, digits and underscores
	 * @param template the database to copy, to which no session is connected
	 * @return the database
	 */
	public Database createDatabase(String prefix, Database template) {
		return create(prefix, " template " + quoted(template.name()));
	}

	/**
	 * Creates a database with tables, as a copy of one that has got them once on this
	 * server, from whichever JVM; on a server that was given by its URL, once in this
	 * JVM.
	 * @param prefix beginning of its name: lower-case letters, digits and underscores
	 * @param source the class that creates the tables, with all scripts in its package or
	 * below: the tables are created anew when a file there has changed, and each day
	 * @param tables creates the tables, and leaves no session connected
	 * @return the database
	 */
	public Database createDatabase(String prefix, Class<?> source, Consumer<DataSource> tables) {
		return createDatabase(prefix,
				this.templates.computeIfAbsent(source.getName(), (name) -> template(source, tables)));
	}

	private Database template(Class<?> source, Consumer<DataSource> tables) {
		if (this.created != null) {
			return createTemplate(tables);
		}
		String name = TemplateName.of(source);
		return execute((connection) -> {
			lock(connection);
			if (!exists(connection, name)) {
				Database template = createTemplate(tables);
				Connections.execute(connection,
						"alter database " + quoted(template.name()) + " rename to " + quoted(name));
			}
			return named(name);
		});
	}

	private Database createTemplate(Consumer<DataSource> tables) {
		Database template = createDatabase("template");
		tables.accept(template.dataSource());
		return template;
	}

	private Database create(String prefix, String options) {
		String name = prefix + "_" + Long.toString(new SecureRandom().nextLong() >>> 1, Character.MAX_RADIX);
		return execute((connection) -> {
			Connections.execute(connection, "create database " + quoted(name) + options);
			if (this.created != null) {
				this.created.add(name);
			}
			return named(name);
		});
	}

	/**
	 * The database of that name, created if absent.
	 * @param name lower-case letters, digits and underscores
	 * @return the database
	 */
	public Database database(String name) {
		return execute((connection) -> {
			lock(connection);
			if (!exists(connection, name)) {
				Connections.execute(connection, "create database " + quoted(name));
			}
			return named(name);
		});
	}

	/**
	 * Returns the version of the server.
	 * @return version, such as {@code 18.1}
	 */
	public String version() {
		return this.version;
	}

	/**
	 * Ends the use of a server in a directory.
	 */
	@Override
	public void close() {
		if (this.started != null && this != sharedServer) {
			this.started.close();
		}
	}

	private Database named(String name) {
		return new Database(this.server.url().replaceFirst("^(jdbc:postgresql:(?://[^/]*/)?)[^?/]*", "$1" + name),
				this.server.username(), this.server.password());
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

	/** One at a time: "create database" knows no "if not exists". */
	private static void lock(Connection connection) throws SQLException {
		Connections.execute(connection, "select pg_advisory_lock(hashtext('dev-postgres'))");
	}

	private static boolean exists(Connection connection, String name) throws SQLException {
		return !Connections
			.query(connection,
					"select count(*) from pg_database where datname = '" + quoted(name).replace("\"", "") + "'")
			.equals("0");
	}

	private static String quoted(String name) {
		if (!name.matches("[a-z0-9_]{1,63}")) {
			throw new IllegalArgumentException(
					"A database's name is of lower-case letters, digits and underscores, unlike '" + name + "'");
		}
		return '"' + name + '"';
	}

	@FunctionalInterface
	private interface Statements<T> {

		T run(Connection connection) throws SQLException;

	}

}
