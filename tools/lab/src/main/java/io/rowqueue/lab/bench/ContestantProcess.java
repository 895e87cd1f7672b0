package io.rowqueue.lab.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.rowqueue.lab.Machine;
import io.rowqueue.lab.contestant.Contestants;
import io.rowqueue.lab.peer.PeerRun;
import org.jspecify.annotations.Nullable;

/** A process of a contestant, which prints {@code mark=…} and {@code metric=value}. */
final class ContestantProcess {

	private final Process process;

	private final BufferedReader lines;

	private final Map<String, String> metrics = new LinkedHashMap<>();

	private ContestantProcess(Process process) {
		this.process = process;
		this.lines = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
	}

	/**
	 * Starts one.
	 * @param executable of one that is not of this module
	 * @param log where its errors go
	 */
	static ContestantProcess start(@Nullable Path executable, Map<String, String> environment, Path log)
			throws IOException {
		ProcessBuilder builder = new ProcessBuilder(
				(executable != null) ? List.of(executable.toString()) : java(environment))
			.redirectError(Redirect.appendTo(log.toFile()));
		if (executable != null && executable.getParent() != null) {
			builder.directory(executable.getParent().toFile());
		}
		builder.environment().putAll(environment);
		return new ContestantProcess(builder.start());
	}

	private static List<String> java(Map<String, String> environment) {
		List<String> command = new ArrayList<>();
		command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
		String contestant = environment.getOrDefault("CONTESTANT", Contestants.ROWQUEUE);
		command.addAll(Contestants.javaOptions(contestant));
		String classPath = Contestants.classPath(contestant, System.getProperty("java.class.path"), Machine.home());
		command.addAll(List.of("-cp", classPath, PeerRun.class.getName()));
		return command;
	}

	/** Reads until the mark of that name; returns false if it does not come. */
	boolean awaitMark(String name) throws IOException {
		for (String line = this.lines.readLine(); line != null; line = this.lines.readLine()) {
			if (line.equals("mark=" + name)) {
				return true;
			}
			take(line);
		}
		return false;
	}

	/** Returns how many jobs it has reported as run; -1 if it has ended. */
	int executed() throws IOException {
		while (this.lines.ready()) {
			take(this.lines.readLine());
		}
		return this.process.isAlive() ? Integer.parseInt(this.metrics.getOrDefault("executed", "0")) : -1;
	}

	private void take(String line) {
		String[] sides = line.split("=", 2);
		if (sides.length == 2 && sides[0].matches("\\w+")) {
			this.metrics.put(sides[0], sides[1]);
		}
	}

	/**
	 * Lets a process that has printed {@code mark=ready} begin, or end when all jobs are
	 * done.
	 */
	void go() throws IOException {
		this.process.getOutputStream().write('\n');
		this.process.getOutputStream().flush();
	}

	/** Reads the rest and waits for the end; the exit value. */
	int await() throws IOException, InterruptedException {
		awaitMark("none");
		return this.process.waitFor();
	}

	/** Ends the process if it does not end within the given number of seconds. */
	void limit(int seconds) {
		this.process.onExit().orTimeout(seconds, TimeUnit.SECONDS).exceptionally((late) -> {
			this.process.descendants().forEach(ProcessHandle::destroyForcibly);
			return this.process.destroyForcibly();
		});
	}

	ProcessHandle handle() {
		return this.process.toHandle();
	}

	Map<String, String> metrics() {
		return this.metrics;
	}

}
