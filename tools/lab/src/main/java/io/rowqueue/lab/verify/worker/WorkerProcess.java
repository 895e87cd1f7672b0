package io.rowqueue.lab.verify.worker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import io.rowqueue.lab.verify.ledger.Entry;
import io.rowqueue.lab.verify.ledger.Event;
import io.rowqueue.lab.verify.ledger.LedgerFile;

/** A worker process, and what can be done to it. */
public final class WorkerProcess {

	private static final Duration BUSY = Duration.ofMillis(100);

	private final String name;

	private final WorkerSpec spec;

	private final Path ledger;

	private final Process process;

	private volatile boolean endExpected;

	private boolean killedAtExit;

	private WorkerProcess(String name, WorkerSpec spec, Path ledger, Process process) {
		this.name = name;
		this.spec = spec;
		this.ledger = ledger;
		this.process = process;
	}

	static WorkerProcess start(String name, WorkerSpec spec, Path directory, List<String> options) {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx200m",
						"-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
		command.addAll(options);
		command.addAll(List.of("-cp", System.getProperty("java.class.path"), "io.rowqueue.lab.Lab", "worker",
				"--lab.process=" + name, "--lab.ledgers=" + directory, "--lab.types=" + String.join(",", spec.types()),
				"--spring.main.banner-mode=off"));
		spec.properties().forEach((key, value) -> command.add("--" + key + "=" + value));
		ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true)
			.redirectOutput(Redirect.to(directory.resolve(name + ".log").toFile()));
		builder.environment().putAll(spec.environment());
		try {
			return new WorkerProcess(name, spec, LedgerFile.path(directory, name), builder.start());
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot start a worker process", ex);
		}
	}

	public String name() {
		return this.name;
	}

	public WorkerSpec spec() {
		return this.spec;
	}

	public boolean isAlive() {
		return this.process.isAlive();
	}

	/** Returns whether it has reported that its worker is running. */
	public boolean isReady() {
		try {
			return Files.exists(this.ledger) && Files.size(this.ledger) > 0;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** The jobs whose handlers have been running in it for a while. */
	public Set<Long> busyWith() {
		Set<Long> running = new HashSet<>();
		long settled = System.nanoTime() - BUSY.toNanos();
		for (Entry entry : LedgerFile.read(this.ledger)) {
			if (entry.event() != Event.BEGUN) {
				running.remove(entry.job());
			}
			else if (entry.nanos() < settled) {
				running.add(entry.job());
			}
		}
		return running;
	}

	/** Returns whether it ended unexpectedly. */
	public boolean hasEndedByItself() {
		return !this.process.isAlive() && !this.endExpected;
	}

	/** {@code kill -9}. */
	public void kill() {
		this.endExpected = true;
		this.process.destroyForcibly();
		this.process.onExit().join();
	}

	/**
	 * Stops the process where it is, as a machine that sleeps: it does not notice. It
	 * would not notice the end of the lab either, so it is killed then.
	 */
	public void freeze() {
		if (!this.killedAtExit) {
			Runtime.getRuntime().addShutdownHook(new Thread(this.process::destroyForcibly, "kill-" + this.name));
			this.killedAtExit = true;
		}
		signal("STOP");
	}

	/** Resumes a frozen process. */
	public void thaw() {
		signal("CONT");
	}

	/** Asks it to shut down in good order; returns whether it did in time. */
	public boolean stop(long seconds) throws InterruptedException {
		askToStop();
		return awaitEnd(seconds);
	}

	/** Asks it to shut down in good order and does not wait for it. */
	void askToStop() {
		this.endExpected = true;
		// Process.destroy() would close its input as well
		this.process.toHandle().destroy();
	}

	/** Waits until it has ended; returns whether it did in time. */
	boolean awaitEnd(long seconds) throws InterruptedException {
		return this.process.waitFor(seconds, TimeUnit.SECONDS);
	}

	private void signal(String signal) {
		try {
			int exit = new ProcessBuilder("kill", "-" + signal, Long.toString(this.process.pid())).inheritIO()
				.start()
				.waitFor();
			if (exit != 0) {
				throw new IllegalStateException("kill -" + signal + " of " + this.name + " ended with " + exit);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public String toString() {
		return this.name;
	}

}
