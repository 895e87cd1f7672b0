package io.rowqueue.postgres;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * A PgBouncer in transaction mode before a server, on a port of the loopback address. The
 * program is the one that {@code -Dpgbouncer} names, else the one of the path.
 */
public final class PgBouncer implements AutoCloseable {

	private static final Duration POLL = Duration.ofMillis(50);

	private final Process process;

	private final Path directory;

	private final int port;

	private final Thread atExit;

	private PgBouncer(Process process, Path directory, int port) {
		this.process = process;
		this.directory = directory;
		this.port = port;
		this.atExit = new Thread(process::destroy, "pgbouncer");
		Runtime.getRuntime().addShutdownHook(this.atExit);
	}

	/** The program, if there is one. */
	public static Optional<Path> program() {
		String given = System.getProperty("pgbouncer", "");
		if (!given.isBlank()) {
			return Optional.of(Path.of(given));
		}
		String path = System.getenv().getOrDefault("PATH", "") + File.pathSeparator + "/usr/sbin";
		return Stream.of(path.split(File.pathSeparator))
			.filter((directory) -> !directory.isBlank())
			.map((directory) -> Path.of(directory, "pgbouncer"))
			.filter(Files::isExecutable)
			.findFirst();
	}

	/**
	 * Starts one.
	 * @param server the server whose sessions it lends
	 * @param sessions how many sessions it keeps for each database and role
	 * @return the pooler, listening
	 * @throws IllegalStateException if there is no program or it does not start
	 */
	public static PgBouncer start(Database server, int sessions) {
		Path program = program().orElseThrow(() -> new IllegalStateException("There is no pgbouncer on the path"));
		ServerAccount account = ServerAccount.current();
		try {
			Path directory = Files.createTempDirectory("pgbouncer");
			account.createDirectory(directory);
			int port = Ports.free();
			Path users = write(account, directory.resolve("users"),
					'"' + server.username() + "\" \"" + server.password() + "\"\n");
			Path settings = write(account, directory.resolve("pgbouncer.ini"), settings(server, port, users, sessions));
			List<String> command = new ArrayList<>(account.prefix());
			command.addAll(List.of(program.toString(), "-q", settings.toString()));
			Process process = new ProcessBuilder(command).redirectErrorStream(true)
				.redirectOutput(directory.resolve("log").toFile())
				.start();
			PgBouncer pooler = new PgBouncer(process, directory, port);
			pooler.awaitListening();
			return pooler;
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot start " + program, ex);
		}
	}

	private static String settings(Database server, int port, Path users, int sessions) {
		URI address = URI.create(server.url().substring("jdbc:".length()));
		return """
				[databases]
				* = host=%s port=%s
				[pgbouncer]
				listen_addr = 127.0.0.1
				listen_port = %s
				unix_socket_dir =
				auth_type = scram-sha-256
				auth_file = %s
				pool_mode = transaction
				default_pool_size = %s
				max_client_conn = 300
				ignore_startup_parameters = extra_float_digits
				""".formatted(address.getHost(), (address.getPort() > 0) ? address.getPort() : 5432, port, users,
				sessions);
	}

	private static Path write(ServerAccount account, Path file, String content) throws IOException {
		account.createFile(file);
		return Files.writeString(file, content);
	}

	private void awaitListening() throws IOException {
		for (int i = 0; i < 2_400 && this.process.isAlive(); i++) {
			if (answers()) {
				return;
			}
			LockSupport.parkNanos(POLL.toNanos());
		}
		close();
		throw new IllegalStateException("PgBouncer does not listen on port " + this.port);
	}

	private boolean answers() {
		try (Socket socket = new Socket()) {
			socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), this.port), 1000);
			return true;
		}
		catch (IOException ex) {
			return false;
		}
	}

	/**
	 * Returns the same database through the pooler.
	 * @param database a database of the server
	 * @return the same database, through the pooler
	 */
	public Database before(Database database) {
		return new Database(
				database.url()
					.replaceFirst("^jdbc:postgresql://[^/]*/", "jdbc:postgresql://127.0.0.1:" + this.port + "/"),
				database.username(), database.password());
	}

	/** Ends the process. */
	@Override
	public void close() {
		Runtime.getRuntime().removeShutdownHook(this.atExit);
		this.process.destroy();
		try {
			if (!this.process.waitFor(5, TimeUnit.SECONDS)) {
				this.process.destroyForcibly();
			}
			Cluster.delete(this.directory);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
