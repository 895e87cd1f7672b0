package io.rowqueue.lab.verify;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import io.rowqueue.lab.Machine;
import io.rowqueue.lab.verify.fault.Fault;
import io.rowqueue.lab.verify.verdict.Finding;
import io.rowqueue.lab.verify.verdict.Finding.Kind;
import io.rowqueue.lab.verify.verdict.Verdict;

/**
 * The round of the generator of random jobs, which is a process with the class path of
 * the tests: it has databases, applications and a judge of its own, and prints what it
 * has found.
 */
final class ProductsRound {

	/** How much of its output says why the generator itself has failed. */
	private static final int LAST_LINES = 20;

	private static final String PROGRAM = "io.rowqueue.products.ProductRuns";

	/**
	 * How much longer than its time the generator may take: a run that has begun comes to
	 * its end, and waits until nothing has changed for some time.
	 */
	private static final Duration PATIENCE = Duration.ofMinutes(20);

	private final Options options;

	private final Fault fault;

	private final Path log;

	ProductsRound(Options options, Fault fault) {
		this.options = options;
		this.fault = fault;
		this.log = options.directory(fault).resolve("products.log");
	}

	RoundResult run() throws Exception {
		long begin = System.nanoTime();
		Round.empty(this.options.directory(this.fault));
		int exit = await(start());
		List<String> output = new String(Files.readAllBytes(this.log), StandardCharsets.UTF_8).lines().toList();
		String result = "%s runs of the generator, with the seeds from %s on; see %s"
			.formatted(values(output, "runs").size(), this.options.seed(), this.log.getFileName());
		return new RoundResult(this.fault, verdict(output, exit), List.of(), List.of(result), begin,
				Duration.ofNanos(System.nanoTime() - begin));
	}

	/**
	 * What the generator has found.
	 * @param output what it has printed
	 * @param exit 0: nothing; 1: something
	 * @throws IllegalStateException if it was not brought to its end
	 */
	static Verdict verdict(List<String> output, int exit) {
		List<Finding> findings = values(output, "finding").stream()
			.map((text) -> new Finding(Kind.PROMISE, text))
			.toList();
		if (values(output, "runs").isEmpty() || exit != (findings.isEmpty() ? 0 : 1)) {
			throw new IllegalStateException("The generator has ended with the exit value %s and %s findings: %s"
				.formatted(exit, findings.size(),
						output.stream()
							.skip(Math.max(0, output.size() - LAST_LINES))
							.collect(Collectors.joining("\n"))));
		}
		return new Verdict(sum(output, "committed"), sum(output, "unknown"), sum(output, "rolled_back"),
				sum(output, "runs"), sum(output, "threw"), sum(output, "interrupted"), 0, 0, Duration.ZERO, null,
				findings);
	}

	/** What the runs have printed as {@code name=value}. */
	private static List<String> values(List<String> output, String name) {
		return output.stream()
			.filter((line) -> line.startsWith(name + "="))
			.map((line) -> line.substring(name.length() + 1))
			.toList();
	}

	private static int sum(List<String> output, String name) {
		return values(output, name).stream().mapToInt(Integer::parseInt).sum();
	}

	private Process start() throws IOException {
		Path libraries = Machine.home().resolve("../parts/target/lib").normalize();
		if (Files.notExists(libraries)) {
			throw new IllegalStateException("There is no " + libraries
					+ ": build the generator with ./mvnw -pl tools/parts -am -DskipTests package");
		}
		Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-Xmx1g", "-Dproducts.seed=" + this.options.seed(), "-Dproducts.duration=" + this.options.duration(),
				"-cp", libraries.resolve("*").toString(), PROGRAM)
			.redirectErrorStream(true)
			.redirectOutput(Redirect.to(this.log.toFile()))
			.start();
		Runtime.getRuntime().addShutdownHook(new Thread(process::destroy, "end-generator"));
		return process;
	}

	private int await(Process process) throws InterruptedException {
		Duration most = this.options.duration().plus(PATIENCE);
		if (!process.waitFor(most.toSeconds(), TimeUnit.SECONDS)) {
			process.destroyForcibly();
			throw new IllegalStateException(
					"The generator has not ended for %s min: see %s".formatted(most.toMinutes(), this.log));
		}
		return process.exitValue();
	}

}
