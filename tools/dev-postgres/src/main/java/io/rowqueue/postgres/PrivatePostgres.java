package io.rowqueue.postgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A server from the binaries for one JVM alone, which a test can measure, stop, crash and
 * copy. Commits are flushed as in production. It stops when it is closed or this JVM
 * ends, and its data is deleted when the next one is created in the same directory.
 */
public final class PrivatePostgres implements AutoCloseable {

	private static final String NAME = "private-postgres";

	private final Cluster cluster;

	private final String password;

	private final int port;

	private final Thread atExit = new Thread(() -> stop(StopMode.IMMEDIATE), NAME);

	private PrivatePostgres(Path home, ServerAccount account, String password) throws IOException {
		this.cluster = Cluster.in(home.toAbsolutePath().normalize(), account);
		this.password = password;
		this.port = Ports.free();
	}

	/**
	 * Creates and starts a server.
	 * @param home an empty or absent directory, or one of an earlier server, whose data
	 * is deleted
	 * @param settings parameters of {@code postgresql.conf}
	 * @return the server, running
	 * @throws IllegalStateException if there are no binaries for this platform, or the
	 * server does not start
	 */
	public static PrivatePostgres create(Path home, Map<String, String> settings) {
		return create(home, settings, Map.of());
	}

	/**
	 * Creates and starts a server whose processes have variables of their own in their
	 * environment.
	 * @param home as in {@link #create(Path, Map)}
	 * @param settings parameters of {@code postgresql.conf}
	 * @param environment variables, beside those of this process
	 * @return the server, running
	 * @throws IllegalStateException if there are no binaries for this platform, or the
	 * server does not start
	 */
	public static PrivatePostgres create(Path home, Map<String, String> settings, Map<String, String> environment) {
		try {
			PrivatePostgres server = new PrivatePostgres(home, ServerAccount.current().with(environment),
					Cluster.newPassword());
			server.clear();
			server.cluster.initialize(server.password);
			Map<String, String> all = new LinkedHashMap<>(Map.of("listen_addresses", "127.0.0.1",
					"unix_socket_directories", "", "timezone", "UTC", "log_timezone", "UTC"));
			all.putAll(settings);
			server.configure(all);
			Runtime.getRuntime().addShutdownHook(server.atExit);
			server.start();
			return server;
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot create a server in " + home, ex);
		}
	}

	/**
	 * Makes a streaming standby of this server by a base backup and starts it. The server
	 * must not be busy with creating or dropping tables.
	 * @param copy the standby's directory, see {@link #create}
	 * @param name the standby's {@code application_name}, for
	 * {@code synchronous_standby_names}
	 * @return the standby, running; {@link #promote()} makes it a primary
	 */
	public PrivatePostgres standby(Path copy, String name) {
		try (Connection connection = Connections.open(database(), NAME)) {
			PrivatePostgres standby = new PrivatePostgres(copy, this.cluster.account(), this.password);
			standby.clear();
			Connections.query(connection, "select pg_backup_start('" + name + "', true)");
			this.cluster.account()
				.run(List.of("cp", "-a", data().toString(), standby.data().toString()), standby.cluster.toolLog());
			String label = Connections.query(connection, "select labelfile from pg_backup_stop(false)");
			Files.deleteIfExists(standby.data().resolve("postmaster.pid"));
			try (var segments = Files.list(standby.data().resolve("pg_wal"))) {
				for (Path segment : segments.filter(Files::isRegularFile).toList()) {
					Files.delete(segment); // half written perhaps; they come by streaming
				}
			}
			standby.write("backup_label", label);
			standby.write("standby.signal", "");
			standby.configure(Map.of("primary_conninfo", "host=127.0.0.1 port=" + this.port + " user=postgres password="
					+ this.password + " application_name=" + name));
			Runtime.getRuntime().addShutdownHook(standby.atExit);
			standby.start();
			return standby;
		}
		catch (IOException | SQLException ex) {
			throw new IllegalStateException("Cannot make a standby in " + copy, ex);
		}
	}

	/** Starts the server, on the same port as before, and waits until it answers. */
	public void start() {
		this.cluster.start();
	}

	/**
	 * Stops the server, if it runs, and waits for its end.
	 * @param mode how
	 */
	public void stop(StopMode mode) {
		try {
			this.cluster.stop(mode);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Makes a primary of this standby and waits until it takes writes. No session is
	 * needed for it: the snapshot of one that calls {@code pg_promote()} can conflict
	 * with what the standby still has to replay, which waits for it then.
	 */
	public void promote() {
		this.cluster.promote();
	}

	/**
	 * A database on this server, which need not exist.
	 * @param name its name
	 * @return how to reach it
	 */
	public Database database(String name) {
		return Database.local(this.port, name, this.password);
	}

	/**
	 * The database that every server has.
	 * @return how to reach it
	 */
	public Database database() {
		return database("postgres");
	}

	/**
	 * The port, the same after a restart.
	 * @return a port of the loopback address
	 */
	public int port() {
		return this.port;
	}

	/**
	 * The directory of this server, with its log {@code server.log} and its {@code data}.
	 * @return absolute path
	 */
	public Path home() {
		return this.cluster.home();
	}

	/**
	 * The server's first process, the parent of all others.
	 * @return the process, or nothing if the server does not run
	 */
	public Optional<ProcessHandle> process() {
		try {
			return this.cluster.process();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Makes a directory in which the server may write, a tablespace for example.
	 * @param directory what to create
	 */
	public void createDirectory(Path directory) {
		try {
			this.cluster.account().createDirectory(directory);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Stops the server. Its directory remains, so that the log can be read. */
	@Override
	public void close() {
		Runtime.getRuntime().removeShutdownHook(this.atExit);
		stop(StopMode.IMMEDIATE);
	}

	private Path data() {
		return this.cluster.data();
	}

	/** A JVM that was killed may have left a server here. */
	private void clear() throws IOException {
		this.cluster.account().createDirectory(home());
		stop(StopMode.IMMEDIATE);
		this.cluster.createLogs();
		this.cluster.deleteData();
	}

	private void configure(Map<String, String> settings) throws IOException {
		List<String> lines = new ArrayList<>(settings.entrySet()
			.stream()
			.map((setting) -> setting.getKey() + " = '" + setting.getValue().replace("'", "''") + "'")
			.collect(Collectors.toList()));
		lines.add("port = " + this.port); // the last one counts
		Files.write(data().resolve("postgresql.conf"), lines, StandardOpenOption.APPEND);
	}

	private void write(String file, String content) throws IOException {
		Path path = data().resolve(file);
		this.cluster.account().createFile(path);
		Files.writeString(path, content);
	}

}
