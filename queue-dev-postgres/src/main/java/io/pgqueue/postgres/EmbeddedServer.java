package io.pgqueue.postgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A server from the binaries, with its data in the home's {@code data}. */
final class EmbeddedServer implements Server {

	private final ServerSettings settings;

	private final ServerHome home;

	private final ServerBinaries binaries;

	private final ServerAccount account = ServerAccount.current();

	private Database database = new Database("", "", "");

	private EmbeddedServer(ServerSettings settings, ServerBinaries binaries) {
		this.settings = settings;
		this.home = new ServerHome(settings.home());
		this.binaries = binaries;
	}

	/** Starts a server, or takes over the one that a killed keeper left. */
	static EmbeddedServer start(ServerSettings settings, URL archive, Optional<ServerFacts> left) {
		EmbeddedServer server = new EmbeddedServer(settings,
				ServerBinaries.unpack(archive, Places.ofThisUser().binaries()));
		try {
			server.startOrAdopt(left);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot start PostgreSQL in " + settings.data(), ex);
		}
		return server;
	}

	private void startOrAdopt(Optional<ServerFacts> left) throws IOException {
		Path data = this.settings.data();
		if (left.isPresent() && left.get().provider() == Provider.EMBEDDED) {
			this.database = new Database(left.get().url(), left.get().username(), left.get().password());
			return;
		}
		this.account.createFile(this.home.serverLog());
		Optional<ProcessHandle> forgotten = Postmaster.forgottenIn(data);
		if (forgotten.isPresent()) {
			stop();
		}
		if (!this.settings.durable()) {
			Directories.delete(data);
		}
		String password = this.home.password(data);
		if (!Files.exists(data)) {
			initialize(data, password);
		}
		checkMajorVersion(data);
		int port = freePort();
		this.account.run(List.of(this.binaries.program("pg_ctl"), "-D", data.toString(), "-l",
				this.home.serverLog().toString(), "-t", "120", "-w", "-o", options(port), "start"),
				this.home.keeperLog());
		this.database = new Database("jdbc:postgresql://127.0.0.1:" + port + "/postgres", "postgres", password);
	}

	private void initialize(Path data, String password) throws IOException {
		Path parent = this.settings.home().resolve("initdb");
		Directories.delete(parent);
		this.account.createDirectory(parent);
		Path unfinished = parent.resolve("data");
		this.binaries.initdb(this.account, unfinished, password, this.home.keeperLog());
		Files.move(unfinished, data, StandardCopyOption.ATOMIC_MOVE);
		Directories.delete(parent);
	}

	private void checkMajorVersion(Path data) throws IOException {
		String found = Files.readString(data.resolve("PG_VERSION")).strip();
		String archive = this.binaries.directory().getFileName().toString();
		if (!archive.matches(".*-" + found + "\\.[\\d.]+")) {
			throw new IllegalStateException("The data in " + data + " is of PostgreSQL " + found + ", the server is "
					+ archive + ": delete the directory, or choose -Dpostgres.version=" + found);
		}
	}

	private String options(int port) {
		List<String> options = new ArrayList<>(
				List.of("port=" + port, "listen_addresses=127.0.0.1", "unix_socket_directories=", "max_connections=300",
						"shared_buffers=128MB", "timezone=UTC", "log_timezone=UTC"));
		if (!this.settings.durable()) {
			options.addAll(List.of("fsync=off", "full_page_writes=off"));
		}
		return "-c " + String.join(" -c ", options);
	}

	private static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
	}

	@Override
	public Database database() {
		return this.database;
	}

	@Override
	public void stop() {
		this.account.run(List.of(this.binaries.program("pg_ctl"), "-D", this.settings.data().toString(), "-m", "fast",
				"-t", "120", "-w", "stop"), this.home.keeperLog());
		if (!this.settings.durable()) {
			try {
				Directories.delete(this.settings.data());
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}
	}

}
