package io.rowqueue.devkafka;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * One broker of a {@link DevKafka}, in a process of its own. It keeps its port and its
 * data while it is down.
 */
public final class DevBroker {

	private static final Duration START = Duration.ofMinutes(3);

	private static final Duration STOP = Duration.ofSeconds(30);

	private static final List<String> JAVA_OPTIONS = List.of("-Xmx256m", "-Xss512k", "-XX:+UseSerialGC",
			"-XX:TieredStopAtLevel=1", "-XX:MaxDirectMemorySize=64m", "-Dlog4j2.level=WARN",
			"-Dlog4j2.disable.jmx=true");

	private final int id;

	private final int port;

	private final Path home;

	private final @Nullable Path temporary;

	private final List<String> formatOptions;

	private volatile @Nullable Process process;

	DevBroker(int id, int port, Path home, Map<String, String> settings, @Nullable Path temporary,
			List<String> formatOptions) {
		this.id = id;
		this.port = port;
		this.home = home;
		this.temporary = temporary;
		this.formatOptions = formatOptions;
		Map<String, String> all = new TreeMap<>(settings);
		all.put("log.dirs", home.resolve("data").toString().replace('\\', '/'));
		try {
			Files.createDirectories(home);
			Files.write(file(), all.entrySet().stream().map((each) -> each.getKey() + "=" + each.getValue()).toList());
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot write " + file(), ex);
		}
	}

	/**
	 * The port of the broker, the same after a restart.
	 * @return a port of the loopback address
	 */
	public int port() {
		return this.port;
	}

	/**
	 * Whether the process of the broker runs.
	 * @return whether it does
	 */
	public boolean isRunning() {
		Process current = this.process;
		return current != null && current.isAlive();
	}

	/**
	 * Starts the broker with the data that it has, and waits until it accepts requests.
	 */
	public void start() {
		launch();
		awaitReady();
	}

	/** Stops the broker as an administrator would, and waits for its end. */
	public void stop() {
		end(Process::destroy);
	}

	/**
	 * Kills the process of the broker, as {@code kill -9} does, and waits for its end.
	 */
	public void kill() {
		end(Process::destroyForcibly);
	}

	/** Freezes the process of the broker ({@code SIGSTOP}): it keeps its connections. */
	public void freeze() {
		signal("STOP");
	}

	/** Lets a frozen process go on ({@code SIGCONT}). */
	public void resume() {
		signal("CONT");
	}

	/** Starts the process. Brokers of one cluster wait for each other. */
	void launch() {
		if (isRunning()) {
			throw new IllegalStateException("Broker " + this.id + " is running");
		}
		List<String> command = new ArrayList<>();
		command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
		command.addAll(JAVA_OPTIONS);
		if (this.temporary != null) {
			command.add("-D" + BrokerProcess.TEMPORARY + "=" + this.temporary);
		}
		command.addAll(List.of("-cp", BrokerClassPath.get(), BrokerProcess.class.getName(), file().toString()));
		command.addAll(this.formatOptions);
		try {
			this.process = new ProcessBuilder(command).directory(this.home.toFile())
				.redirectErrorStream(true)
				.redirectOutput(log().toFile())
				.start();
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot start Kafka in " + this.home, ex);
		}
	}

	void awaitReady() {
		long start = System.nanoTime();
		try {
			while (!output().contains(BrokerProcess.READY)) {
				if (!isRunning() || System.nanoTime() - start > START.toNanos()) {
					String output = output();
					kill();
					throw new IllegalStateException("Kafka does not start in " + this.home + ": " + output);
				}
				TimeUnit.MILLISECONDS.sleep(50);
			}
		}
		catch (InterruptedException ex) {
			kill();
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while Kafka started", ex);
		}
	}

	private void end(Consumer<Process> signal) {
		Process current = this.process;
		if (current == null) {
			return;
		}
		signal.accept(current);
		try {
			if (!current.waitFor(STOP.toMillis(), TimeUnit.MILLISECONDS)) {
				current.destroyForcibly().waitFor();
			}
			this.process = null;
		}
		catch (InterruptedException ex) {
			current.destroyForcibly();
			Thread.currentThread().interrupt();
		}
	}

	private void signal(String name) {
		Process current = this.process;
		if (current == null) {
			throw new IllegalStateException("Broker " + this.id + " does not run");
		}
		try {
			int status = new ProcessBuilder("kill", "-" + name, Long.toString(current.pid())).start().waitFor();
			if (status != 0) {
				throw new IllegalStateException("kill -" + name + " of broker " + this.id + " ended with " + status);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted", ex);
		}
	}

	private String output() {
		try {
			return Files.exists(log()) ? Files.readString(log(), StandardCharsets.ISO_8859_1) : "";
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private Path log() {
		return this.home.resolve("server.log");
	}

	private Path file() {
		return this.home.resolve("server.properties");
	}

}
