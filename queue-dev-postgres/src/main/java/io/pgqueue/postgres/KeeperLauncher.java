package io.pgqueue.postgres;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Starts a keeper and waits for its server. The keeper gets a copy of this module's
 * classes and the jars of this JVM, so that a build may clean its directories meanwhile.
 */
record KeeperLauncher(ServerSettings settings, ServerHome home) {

	/** Pulling an image takes its time. */
	private static final Duration PATIENCE = Duration.ofMinutes(5);

	ServerFacts launch() {
		this.home.forgetFailure();
		try {
			Process process = start();
			Deadline patience = Deadline.in(PATIENCE);
			KeeperId keeper = KeeperId.of(process.toHandle());
			while (true) {
				boolean alive = process.isAlive();
				var facts = this.home.facts().filter((candidate) -> candidate.keeper().equals(keeper));
				if (facts.isPresent()) {
					return facts.get();
				}
				if (!alive || patience.isOver()) {
					throw new IllegalStateException(this.home.failure().orElse("The keeper of PostgreSQL did not start")
							+ " (see " + this.home.keeperLog() + ")");
				}
				Pause.shortly();
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot start the keeper of PostgreSQL", ex);
		}
	}

	private Process start() throws IOException {
		List<String> command = new ArrayList<>();
		command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
		command.addAll(List.of("-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
				"-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir")));
		command.addAll(mainClass());
		command.addAll(this.settings.toArguments());
		Process process = new ProcessBuilder(command).directory(this.home.directory().toFile())
			.redirectErrorStream(true)
			.redirectOutput(Redirect.to(this.home.keeperLog().toFile()))
			.start();
		process.getOutputStream().close();
		return process;
	}

	private List<String> mainClass() throws IOException {
		URL source = PostgresKeeper.class.getProtectionDomain().getCodeSource().getLocation();
		List<String> classPath = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
			.map((entry) -> Path.of(entry).toAbsolutePath().toString())
			.toList();
		if (!source.getProtocol().equals("file")) { // nested in an executable jar
			return List.of("-cp", String.join(File.pathSeparator, classPath),
					"-Dloader.main=" + PostgresKeeper.class.getName(),
					"org.springframework.boot.loader.launch.PropertiesLauncher");
		}
		List<String> jars = classPath.stream().filter((entry) -> entry.endsWith(".jar")).toList();
		return List.of("-cp", copyOf(source) + File.pathSeparator + String.join(File.pathSeparator, jars),
				PostgresKeeper.class.getName());
	}

	private Path copyOf(URL source) throws IOException {
		try {
			Path original = Path.of(source.toURI());
			Path copies = this.home.directory().resolve("keeper-classes");
			if (this.home.facts().isEmpty()) { // else an older keeper may still use its
												// copy
				Directories.delete(copies);
			}
			Files.createDirectories(copies);
			Path copy = Files.createTempDirectory(copies, "").resolve(original.getFileName());
			Directories.copy(original, copy);
			return copy;
		}
		catch (URISyntaxException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
