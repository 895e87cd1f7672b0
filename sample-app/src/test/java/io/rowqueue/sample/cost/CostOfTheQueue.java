package io.rowqueue.sample.cost;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.rowqueue.postgres.Database;
import io.rowqueue.postgres.PrivatePostgres;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Measures what the queue costs an application that does nothing: at start, and a minute.
 * No test: it takes minutes and judges nothing. <pre>
 * ./mvnw test -pl sample-app -am -Dtest=CostOfTheQueue -Dsurefire.failIfNoSpecifiedTests=false</pre>
 */
class CostOfTheQueue {

	private static final int RUNS = Integer.getInteger("cost.runs", 10);

	private static final int MINUTES = Integer.getInteger("cost.minutes", 2);

	private static final Pattern STATEMENT = Pattern.compile(" LOG: {2}(?:statement|execute [^:]*): *(.*)");

	@TempDir(cleanup = CleanupMode.NEVER)
	Path directory;

	private PrivatePostgres server;

	@BeforeEach
	void startServer() {
		this.server = PrivatePostgres.create(this.directory.resolve("server"),
				Map.of("log_statement", "all", "log_destination", "stderr"));
	}

	@AfterEach
	void stopServer() {
		this.server.close();
	}

	@Test
	void start() throws Exception {
		System.out.println("first start, with migration: " + start(true) + " ms");
		List<Integer> without = new ArrayList<>();
		List<Integer> with = new ArrayList<>();
		for (int run = 0; run < RUNS; run++) {
			without.add(start(false));
			with.add(start(true));
		}
		System.out.println("without the queue: " + without + ", median " + median(without) + " ms");
		System.out.println("with the queue:    " + with + ", median " + median(with) + " ms");
		System.out.printf("ratio %.3f, %d ms%n", (double) median(with) / median(without),
				median(with) - median(without));
	}

	@Test
	void minutesInWhichNothingHappens() throws Exception {
		Process application = application(true, "stay");
		while (!Files.readString(log()).contains(PlainApplication.READY)) {
			TimeUnit.MILLISECONDS.sleep(200);
		}
		TimeUnit.SECONDS.sleep(20); // until the work after a start has ended
		Map<String, Integer> before = statements();
		TimeUnit.MINUTES.sleep(MINUTES);
		Map<String, Integer> after = statements();
		application.destroy();
		application.waitFor();
		int all = 0;
		for (Map.Entry<String, Integer> statement : after.entrySet()) {
			int more = statement.getValue() - before.getOrDefault(statement.getKey(), 0);
			if (more > 0) {
				System.out.printf("%6.1f a minute: %s%n", (double) more / MINUTES, statement.getKey());
				all += more;
			}
		}
		System.out.printf("%6.1f statements a minute%n", (double) all / MINUTES);
	}

	private Map<String, Integer> statements() throws IOException {
		Map<String, Integer> statements = new TreeMap<>();
		for (String line : Files.readAllLines(this.server.home().resolve("server.log"))) {
			Matcher statement = STATEMENT.matcher(line);
			if (statement.find()) {
				statements.merge(statement.group(1), 1, Integer::sum);
			}
		}
		return statements;
	}

	private int start(boolean withQueue) throws Exception {
		application(withQueue, "exit").waitFor();
		return Files.readAllLines(log())
			.stream()
			.filter((line) -> line.startsWith(PlainApplication.READY))
			.map((line) -> Integer.parseInt(line.substring(PlainApplication.READY.length())))
			.findFirst()
			.orElseThrow(() -> new IllegalStateException("See " + log()));
	}

	private Process application(boolean withQueue, String whatThen) throws IOException {
		Database database = this.server.database();
		List<String> command = new ArrayList<>(List.of(
				Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp", classPath(withQueue),
				PlainApplication.class.getName(), whatThen, "--server.port=0", "--server.address=127.0.0.1",
				"--spring.datasource.url=" + database.url(), "--spring.datasource.username=" + database.username(),
				"--spring.datasource.password=" + database.password(), "--spring.flyway.enabled=false"));
		if (withQueue) {
			command.add("--spring.main.sources=" + OneHandler.class.getName());
		}
		return new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log().toFile()).start();
	}

	private Path log() {
		return this.directory.resolve("application.log");
	}

	/**
	 * That of the sample, without the sample, and without the queue if that is wanted.
	 */
	private static String classPath(boolean withQueue) {
		String all = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
		return Arrays.stream(all.split(File.pathSeparator))
			.filter((entry) -> !entry.matches(".*sample-app[/\\\\]target[/\\\\]classes"))
			.filter((entry) -> withQueue
					|| !entry.matches(".*queue-(core|spring-boot-autoconfigure|spring-boot-starter).*"))
			.filter((entry) -> !entry.contains("queue-spring-boot-starter-test"))
			.collect(Collectors.joining(File.pathSeparator));
	}

	private static int median(List<Integer> values) {
		return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
	}

}
