package io.rowqueue.postgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The server of a directory, which all JVMs of this user share. The first one starts it;
 * a {@link ServerGuard} stops it after the last one has ended, in whatever way.
 *
 * @param database its database {@code postgres}
 * @param presence an idle connection, by which this JVM counts as a user
 */
record SharedServer(Database database, Connection presence) implements AutoCloseable {

	static final String USER = "dev-postgres user";

	/** The driver closes a connection to which there is no reference any more. */
	private static final Set<Connection> PRESENT = ConcurrentHashMap.newKeySet();

	/**
	 * Connects to the running server, or starts it.
	 * @param home directory of everything that belongs to the server
	 * @param durable whether its data survives a restart and a power failure
	 * @param linger how long it runs without a session
	 */
	static SharedServer open(Path home, boolean durable, Duration linger) {
		PrivateDirectory.create(home);
		Cluster cluster = Cluster.in(home, ServerAccount.current());
		try (DirectoryLock lock = DirectoryLock.acquire(home)) {
			Optional<SharedServer> running = join(cluster);
			SharedServer server = running.isPresent() ? running.get() : start(cluster, durable);
			ServerGuard.watch(server.database(), cluster, linger);
			PRESENT.add(server.presence());
			new DiscardedData(home).deleteInBackground();
			return server;
		}
		catch (IOException | SQLException ex) {
			throw new IllegalStateException("Cannot start PostgreSQL in " + home + ": " + ex.getMessage(), ex);
		}
	}

	/** Nothing if the server does not run, or is about to stop. */
	private static Optional<SharedServer> join(Cluster cluster) throws IOException {
		Optional<Postmaster> postmaster = Postmaster.of(cluster.data());
		if (postmaster.isEmpty()) {
			return Optional.empty();
		}
		Database database = Database.local(postmaster.get().port(), "postgres", password(cluster));
		return Connections.tryOpen(database, USER)
			.filter(ServerGuard::admits)
			.map((presence) -> new SharedServer(database, presence));
	}

	private static SharedServer start(Cluster cluster, boolean durable) throws IOException, SQLException {
		cluster.stop(StopMode.FAST); // it does not respond
		cluster.createLogs();
		if (!durable) {
			new DiscardedData(cluster.home()).add(cluster.data());
		}
		String password = password(cluster);
		if (!Files.exists(cluster.data())) {
			cluster.initialize(password);
		}
		checkMajorVersion(cluster);
		int port = Ports.free();
		cluster.start("port=" + port, "listen_addresses=127.0.0.1", "unix_socket_directories=", "max_connections=600",
				"shared_buffers=128MB", "timezone=UTC", "log_timezone=UTC", "fsync=" + durable,
				"full_page_writes=" + durable,
				// a visit of each of the many databases of tests, which are gone before
				// it pays
				"autovacuum_naptime=" + (durable ? "1min" : "10min"));
		Database database = Database.local(port, "postgres", password);
		return new SharedServer(database, Connections.open(database, USER));
	}

	/** The superuser's password, which lasts as long as the directory. */
	private static String password(Cluster cluster) throws IOException {
		Path file = cluster.home().resolve("password");
		if (Files.exists(file)) {
			return Files.readString(file);
		}
		if (Files.exists(cluster.data())) {
			throw new IllegalStateException("The data in " + cluster.data()
					+ " is of a server without a password: delete the directory " + cluster.home());
		}
		String password = Cluster.newPassword();
		Files.writeString(PrivateDirectory.createFile(file), password);
		return password;
	}

	private static void checkMajorVersion(Cluster cluster) throws IOException {
		String found = Files.readString(cluster.data().resolve("PG_VERSION")).strip();
		if (!found.equals(cluster.binaries().majorVersion())) {
			throw new IllegalStateException("The data in " + cluster.data() + " is of PostgreSQL " + found
					+ ", the server is " + cluster.binaries().majorVersion() + ": delete the directory "
					+ cluster.home() + ", or choose -Dpostgres.version=" + found);
		}
	}

	/** Ends the use of the server by this JVM. */
	@Override
	public void close() {
		PRESENT.remove(this.presence);
		try {
			this.presence.close();
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
