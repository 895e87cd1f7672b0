package io.rowqueue.cli;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A process with a worker. It ends when its standard input does, and so with the process
 * that has started it.
 */
final class VerifyProcess {

	private static final long PATIENCE_SECONDS = 30;

	private final String name;

	private final Process process;

	private boolean killed;

	private VerifyProcess(String name, Process process) {
		this.name = name;
		this.process = process;
	}

	static VerifyProcess start(Database database, String name) throws IOException {
		ProcessBuilder builder = new ProcessBuilder(command(System.getProperty("java.class.path"), name))
			.redirectErrorStream(true)
			.redirectOutput(Redirect.DISCARD);
		database.addTo(builder.environment());
		return new VerifyProcess(name, builder.start());
	}

	/** A class path of one jar is the executable jar, whatever its name. */
	static List<String> command(String classPath, String name) {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx200m"));
		if (classPath.endsWith(".jar") && !classPath.contains(File.pathSeparator)) {
			command.addAll(List.of("-jar", classPath));
		}
		else {
			command.addAll(List.of("-cp", classPath, Rowqueue.class.getName()));
		}
		command.addAll(List.of("verify-worker", "--name=" + name));
		return command;
	}

	String name() {
		return this.name;
	}

	boolean wasKilled() {
		return this.killed;
	}

	/** Whether it has ended without being killed. */
	boolean hasFailed() {
		return !this.killed && !this.process.isAlive();
	}

	/** Ends it at once, as {@code kill -9} does. */
	void kill() throws InterruptedException {
		this.killed = true;
		this.process.destroyForcibly().waitFor();
	}

	/** Lets it finish its jobs. */
	void stop() {
		if (!this.process.isAlive()) {
			return;
		}
		try {
			this.process.getOutputStream().close();
			if (!this.process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
				this.process.destroyForcibly();
			}
		}
		catch (InterruptedException ex) {
			this.process.destroyForcibly();
			Thread.currentThread().interrupt();
		}
		catch (IOException ex) {
			this.process.destroyForcibly();
			throw new UncheckedIOException(ex);
		}
	}

}
