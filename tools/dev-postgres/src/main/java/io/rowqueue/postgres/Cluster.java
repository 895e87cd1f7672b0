package io.rowqueue.postgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

import org.apache.commons.io.file.PathUtils;

/**
 * The data of one server with the programs that run it.
 *
 * @param home directory of {@code data}, of the server's log {@code server.log} and of
 * {@code tools.log}, to which the programs write that create, start and stop it
 * @param binaries the programs
 * @param account the account that runs them
 */
record Cluster(Path home, ServerBinaries binaries, ServerAccount account) {

	static Cluster in(Path home, ServerAccount account) {
		return new Cluster(home, ServerBinaries.unpacked(), account);
	}

	/**
	 * Every server has its own password: any user of this machine can connect to its
	 * port, and a superuser of PostgreSQL runs programs as the user who started it.
	 */
	static String newPassword() {
		byte[] bytes = new byte[24];
		new SecureRandom().nextBytes(bytes);
		return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
	}

	Path data() {
		return this.home.resolve("data");
	}

	Path serverLog() {
		return this.home.resolve("server.log");
	}

	Path toolLog() {
		return this.home.resolve("tools.log");
	}

	/** The logs of an earlier server may belong to another account. */
	void createLogs() throws IOException {
		Files.deleteIfExists(serverLog());
		Files.deleteIfExists(toolLog());
		this.account.createFile(serverLog());
		this.account.createFile(toolLog());
	}

	/**
	 * Creates the data of a server whose superuser {@code postgres} has this password.
	 */
	void initialize(String password) throws IOException {
		Path unfinished = this.home.resolve("data.unfinished");
		Path secret = this.home.resolve("initdb.password");
		delete(unfinished);
		Files.deleteIfExists(secret);
		this.account.createDirectory(unfinished);
		this.account.createFile(secret);
		Files.writeString(secret, password);
		List<String> arguments = new ArrayList<>(
				List.of("-D", unfinished.toString(), "-U", "postgres", "-A", "scram-sha-256", "--pwfile=" + secret,
						"-E", "UTF8", "--no-sync", "--locale=" + (Platform.current().isLinux() ? "C.UTF-8" : "C")));
		if (Integer.parseInt(this.binaries.majorVersion()) >= 16) {
			// more make guesses of a weak password expensive, and each connection
			arguments.addAll(List.of("-c", "scram_iterations=1"));
		}
		run("initdb", arguments.toArray(String[]::new));
		Files.delete(secret);
		Files.move(unfinished, data(), StandardCopyOption.ATOMIC_MOVE);
	}

	/** Starts the server and waits until it accepts connections. */
	void start(String... options) {
		List<String> arguments = new ArrayList<>(
				List.of("start", "-D", data().toString(), "-l", serverLog().toString(), "-t", "120", "-w"));
		if (options.length > 0) {
			arguments.addAll(List.of("-o", "-c " + String.join(" -c ", options)));
		}
		run("pg_ctl", arguments.toArray(String[]::new));
	}

	/** Stops the server, if it runs, and waits for its end. */
	void stop(StopMode mode) throws IOException {
		if (process().isPresent()) {
			run("pg_ctl", "stop", "-D", data().toString(), "-m", mode.toString(), "-t", "120", "-w");
		}
	}

	/** Makes a primary of a standby and waits until it takes writes. */
	void promote() {
		run("pg_ctl", "promote", "-D", data().toString(), "-t", "120", "-w");
	}

	/** The server's first process, the parent of all others. */
	Optional<ProcessHandle> process() throws IOException {
		return Postmaster.of(data()).flatMap(Postmaster::process);
	}

	void deleteData() throws IOException {
		delete(data());
	}

	private void run(String program, String... arguments) {
		List<String> command = new ArrayList<>(List.of(this.binaries.program(program)));
		command.addAll(List.of(arguments));
		this.account.run(command, toolLog());
	}

	static void delete(Path directory) throws IOException {
		if (Files.exists(directory)) {
			PathUtils.deleteDirectory(directory);
		}
	}

}
