package io.rowqueue.lab.horizon;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A process of the adapter, whose samples are read. */
final class Replica {

	private static final Pattern SAMPLE = Pattern.compile("\"metric\":\"(\\w+)\",\"value\":([\\d.]+)");

	private static final int START_SECONDS = 60;

	/** Of the contract. */
	private static final int STOP_SECONDS = 5;

	private final Process process;

	private Replica(Process process) {
		this.process = process;
	}

	/**
	 * Starts a process and waits until it has said what it is.
	 * @param environment what the harness sets
	 * @param samples is called with the name and value of each sample
	 */
	static Replica start(Map<String, String> environment, Path log, BiConsumer<String, Double> samples)
			throws IOException, InterruptedException {
		ProcessBuilder builder = new ProcessBuilder(List.of(
				Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx1g",
				"-Dadapter.log=" + log + ".log", "-cp", System.getProperty("java.class.path"), Adapter.class.getName()))
			.redirectError(Redirect.appendTo(Path.of(log + ".errors").toFile()));
		builder.environment().putAll(environment);
		Process process = builder.start();
		CountDownLatch described = new CountDownLatch(1);
		Thread reader = new Thread(() -> read(process, described, samples), "samples");
		reader.setDaemon(true);
		reader.start();
		if (!described.await(START_SECONDS, TimeUnit.SECONDS)) {
			process.destroyForcibly();
			throw new IOException("The adapter has not said what it is, see " + log + ".errors");
		}
		return new Replica(process);
	}

	private static void read(Process process, CountDownLatch described, BiConsumer<String, Double> samples) {
		try (BufferedReader lines = new BufferedReader(
				new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
			for (String line = lines.readLine(); line != null; line = lines.readLine()) {
				if (line.contains("\"kind\":\"descriptor\"")) {
					described.countDown();
				}
				Matcher sample = SAMPLE.matcher(line);
				if (sample.find()) {
					samples.accept(sample.group(1), Double.valueOf(sample.group(2)));
				}
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	boolean isAlive() {
		return this.process.isAlive();
	}

	void kill() throws InterruptedException {
		this.process.destroyForcibly().waitFor();
	}

	/** Terminates it; returns whether it ended in time and in good order. */
	boolean stop() throws InterruptedException {
		this.process.destroy();
		if (!this.process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
			kill();
			return false;
		}
		return this.process.exitValue() == 0;
	}

}
