package io.pgqueue.postgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
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
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;

/**
 * A server from the binaries for one JVM alone, for what a shared one is too good for: to
 * be measured, stopped, crashed and copied. Commits are flushed as in production. Nobody
 * keeps it: it stops when it is closed or this JVM ends, and its data is deleted when the
 * next one is created in the same directory.
 */
public final class PrivatePostgres implements AutoCloseable {

	private static final String NAME = "private-postgres";

	private static final int LOWEST_PORT = 20_000;

	private static final int HIGHEST_PORT = 32_000;

	private final Path home;

	private final ServerBinaries binaries;

	private final ServerAccount account;

	private final String password;

	private final int port;

	private final Thread atExit = new Thread(() -> stopIfRunning(StopMode.IMMEDIATE), NAME);

	private PrivatePostgres(Path home, ServerBinaries binaries, ServerAccount account, String password)
			throws IOException {
		this.home = home;
		this.binaries = binaries;
		this.account = account;
		this.password = password;
		this.port = freePort();
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
		ServerBinaries binaries = ServerBinaries.unpack(
				ServerBinaries.archive()
					.orElseThrow(() -> new IllegalStateException("There are no server binaries for this platform")),
				Places.ofThisUser().binaries());
		try {
			PrivatePostgres server = new PrivatePostgres(home.toAbsolutePath().normalize(), binaries,
					ServerAccount.current().with(environment), Passwords.random());
			server.clear();
			binaries.initdb(server.account, server.data(), server.password, server.toolLog());
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
	 * @return the standby, running; {@code pg_promote()} makes it a primary
	 */
	public PrivatePostgres standby(Path copy, String name) {
		try (Connection connection = Connections.open(database(), NAME)) {
			PrivatePostgres standby = new PrivatePostgres(copy.toAbsolutePath().normalize(), this.binaries,
					this.account, this.password);
			standby.clear();
			Connections.query(connection, "select pg_backup_start('" + name + "', true)");
			this.account.run(List.of("cp", "-a", data().toString(), standby.data().toString()), standby.toolLog());
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
		this.account.run(List.of(this.binaries.program("pg_ctl"), "-D", data().toString(), "-l",
				this.home.resolve("server.log").toString(), "-t", "120", "-w", "start"), toolLog());
	}

	/**
	 * Stops the server and waits for its end.
	 * @param mode how
	 */
	public void stop(StopMode mode) {
		this.account.run(List.of(this.binaries.program("pg_ctl"), "-D", data().toString(), "-m", mode.toString(), "-t",
				"120", "-w", "stop"), toolLog());
	}

	/**
	 * A database on this server, which need not exist.
	 * @param name its name
	 * @return how to reach it
	 */
	public Database database(String name) {
		return new Database("jdbc:postgresql://127.0.0.1:" + this.port + "/" + name, "postgres", this.password);
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
		return this.home;
	}

	/**
	 * The server's first process, the parent of all others.
	 * @return the process, or nothing if the server does not run
	 */
	public Optional<ProcessHandle> process() {
		try {
			return Files.exists(data()) ? Postmaster.forgottenIn(data()) : Optional.empty();
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
			this.account.createDirectory(directory);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Stops the server. Its directory stays, for whoever wants to read the log. */
	@Override
	public void close() {
		Runtime.getRuntime().removeShutdownHook(this.atExit);
		stopIfRunning(StopMode.IMMEDIATE);
	}

	private void stopIfRunning(StopMode mode) {
		if (process().isPresent()) {
			stop(mode);
		}
	}

	private Path data() {
		return this.home.resolve("data");
	}

	private Path toolLog() {
		return this.home.resolve("tools.log");
	}

	/** A JVM that was killed may have left a server here. */
	private void clear() throws IOException {
		this.account.createDirectory(this.home);
		this.account.createFile(toolLog());
		this.account.createFile(this.home.resolve("server.log"));
		stopIfRunning(StopMode.IMMEDIATE);
		Directories.delete(data());
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
		this.account.createFile(path);
		Files.writeString(path, content);
	}

	/**
	 * None of those that the system gives to clients: while the server is down, a client
	 * could get it, the one that waits for this very server included.
	 */
	private static int freePort() throws IOException {
		for (int i = 0; i < 100; i++) {
			int port = ThreadLocalRandom.current().nextInt(LOWEST_PORT, HIGHEST_PORT);
			try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
				return socket.getLocalPort();
			}
			catch (BindException ex) {
				// somebody has it
			}
		}
		throw new IOException("There is no free port from " + LOWEST_PORT + " to " + HIGHEST_PORT);
	}

}
