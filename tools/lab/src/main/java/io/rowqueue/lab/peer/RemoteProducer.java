package io.rowqueue.lab.peer;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.ProcessBuilder.Redirect;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.rowqueue.lab.contestant.Contestant;

/**
 * Enqueues single jobs in a process of its own, whose worker is not started. The clocks
 * of {@link System#nanoTime()} in two processes of one machine have the same origin on
 * Linux and macOS, so that the time of a commit there can be compared with the begin of
 * the job here.
 */
final class RemoteProducer implements AutoCloseable {

	/** The workload of the process that enqueues. */
	static final String WORKLOAD = "produce";

	private static final String COMMITTED = "committed=";

	private final Process process;

	private final BufferedReader lines;

	private RemoteProducer(Process process) {
		this.process = process;
		this.lines = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
	}

	/** Starts the process, with the environment and the memory of this one. */
	static RemoteProducer start() throws IOException {
		List<String> command = new ArrayList<>();
		command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
		command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
		command.addAll(List.of("-cp", System.getProperty("java.class.path"), "io.rowqueue.lab.Lab", "peer"));
		ProcessBuilder builder = new ProcessBuilder(command).redirectError(Redirect.INHERIT);
		builder.environment().put("WORKLOAD", WORKLOAD);
		return new RemoteProducer(builder.start());
	}

	/** Enqueues a job there; returns the time at which it was committed. */
	long enqueue(int job) throws IOException {
		this.process.getOutputStream().write((job + "\n").getBytes(StandardCharsets.UTF_8));
		this.process.getOutputStream().flush();
		for (String line = this.lines.readLine(); line != null; line = this.lines.readLine()) {
			if (line.startsWith(COMMITTED)) {
				return Long.parseLong(line.substring(COMMITTED.length()));
			}
		}
		throw new IllegalStateException("The process that enqueues has ended");
	}

	/** Does what {@link #enqueue} asks for, in the other process. */
	static void serve(Contestant queue, Report report) throws Exception {
		BufferedReader numbers = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
		for (String line = numbers.readLine(); line != null; line = numbers.readLine()) {
			queue.enqueue(Integer.parseInt(line));
			long committed = System.nanoTime();
			report.value("committed", committed);
		}
	}

	/** Ends the process. */
	@Override
	public void close() throws IOException {
		this.process.getOutputStream().close();
	}

}
