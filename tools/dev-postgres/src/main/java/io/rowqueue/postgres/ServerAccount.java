package io.rowqueue.postgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The account of the server programs. PostgreSQL refuses to run as root. Root therefore
 * runs it in a user namespace where the kernel permits this (files remain root's), and as
 * {@code nobody} where it does not (containers).
 *
 * @param prefix command that changes the account
 * @param group numeric id of user and group to own the files, or -1 for the present ones
 * @param environment variables of the programs, beside those of this process
 */
record ServerAccount(List<String> prefix, int group, Map<String, String> environment) {

	private static final int NOBODY = 65534;

	static ServerAccount current() {
		if (!Platform.current().isLinux() || !"root".equals(System.getProperty("user.name"))) {
			return new ServerAccount(List.of(), -1, Map.of());
		}
		List<String> namespace = List.of("unshare", "-U");
		if (succeeds(namespace)) {
			return new ServerAccount(namespace, -1, Map.of());
		}
		List<String> nobody = List.of("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups");
		if (succeeds(nobody)) {
			return new ServerAccount(nobody, NOBODY, Map.of());
		}
		throw new IllegalStateException("PostgreSQL does not run as root, and neither 'unshare -U' nor 'setpriv' is "
				+ "permitted here: run the build as an ordinary user, or set -Dpostgres.url");
	}

	/** The same account, with these variables beside those of this process. */
	ServerAccount with(Map<String, String> variables) {
		return new ServerAccount(this.prefix, this.group, variables);
	}

	/** Makes a directory in which the server's account may write. */
	void createDirectory(Path directory) throws IOException {
		Files.createDirectories(directory);
		own(directory);
	}

	/** Makes a file in which the server's account may write. */
	void createFile(Path file) throws IOException {
		own(PrivateDirectory.createFile(file));
	}

	private void own(Path path) throws IOException {
		if (this.group >= 0) {
			Files.setAttribute(path, "unix:uid", this.group);
			Files.setAttribute(path, "unix:gid", this.group);
		}
	}

	void run(List<String> command, Path log) {
		List<String> words = new ArrayList<>(this.prefix);
		words.addAll(command);
		ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true)
			.redirectOutput(Redirect.appendTo(log.toFile()));
		builder.environment().putAll(this.environment);
		int exit = exitValue(builder);
		if (exit != 0) {
			throw new IllegalStateException(
					"'" + String.join(" ", words) + "' ended with " + exit + ", see " + log.toAbsolutePath());
		}
	}

	private static boolean succeeds(List<String> prefix) {
		List<String> words = new ArrayList<>(prefix);
		words.add("true");
		try {
			return exitValue(new ProcessBuilder(words).redirectErrorStream(true).redirectOutput(Redirect.DISCARD)) == 0;
		}
		catch (UncheckedIOException ex) {
			return false; // not installed
		}
	}

	private static int exitValue(ProcessBuilder builder) {
		try {
			return builder.start().waitFor();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while PostgreSQL started or stopped", ex);
		}
	}

}
