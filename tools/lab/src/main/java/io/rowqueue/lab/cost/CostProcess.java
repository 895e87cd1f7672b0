package io.rowqueue.lab.cost;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.rowqueue.postgres.Database;

/** A running application that is measured. */
final class CostProcess implements AutoCloseable {

	private final Process process;

	private final BufferedReader answers;

	private final Writer requests;

	private final double first;

	/**
	 * Starts an application.
	 * @param arguments those of the JVM and of the application
	 * @param first the name of what it tells first
	 */
	CostProcess(List<String> arguments, String first) throws IOException {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
		command.addAll(arguments);
		this.process = new ProcessBuilder(command).redirectError(Redirect.INHERIT).start();
		this.answers = new BufferedReader(new InputStreamReader(this.process.getInputStream(), StandardCharsets.UTF_8));
		this.requests = this.process.outputWriter(StandardCharsets.UTF_8);
		this.first = answer(first);
	}

	/**
	 * Starts an application.
	 * @param types how many types it has a handler for
	 * @param millis how long each job takes
	 */
	static CostProcess start(Database database, int types, int millis) throws IOException {
		List<String> arguments = new ArrayList<>(
				List.of("-Xmx1g", "-cp", System.getProperty("java.class.path"), CostApplication.class.getName()));
		arguments.addAll(properties(database));
		arguments.addAll(List.of("--cost.types=" + types, "--cost.millis=" + millis));
		return new CostProcess(arguments, "started");
	}

	/** The properties of an application that lead to a database. */
	static List<String> properties(Database database) {
		return List.of("--spring.datasource.url=" + database.url(),
				"--spring.datasource.username=" + database.username(),
				"--spring.datasource.password=" + database.password());
	}

	/** What it told first, in milliseconds. */
	double first() {
		return this.first;
	}

	/** Lets it do something and returns its answer, mostly the milliseconds. */
	double ask(String request) throws IOException {
		this.requests.write(request + "\n");
		this.requests.flush();
		return answer(request.split(" ", -1)[0]);
	}

	/** What it tells about the waits since it was last asked: jobs, median and p99. */
	double[] waits() throws IOException {
		this.requests.write("waits\n");
		this.requests.flush();
		return new double[] { answer("jobs"), answer("p50"), answer("p99") };
	}

	/** Returns the number that it tells next under that name. */
	double answer(String name) throws IOException {
		StringBuilder others = new StringBuilder();
		for (String line = this.answers.readLine(); line != null; line = this.answers.readLine()) {
			if (line.startsWith(name + "=")) {
				return Double.parseDouble(line.substring(name.length() + 1));
			}
			others.append(line).append('\n');
		}
		throw new IOException("The application has ended without " + name + ":\n" + others);
	}

	ProcessHandle handle() {
		return this.process.toHandle();
	}

	@Override
	public void close() throws IOException {
		this.requests.close();
		try {
			this.process.waitFor();
		}
		catch (InterruptedException ex) {
			this.process.destroyForcibly();
			Thread.currentThread().interrupt();
		}
	}

}
