package io.rowqueue.sample;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

import io.rowqueue.postgres.Database;
import io.rowqueue.postgres.DevPostgres;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.jdbc.core.simple.JdbcClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** The sample as Spring's ahead-of-time processing leaves it, in a JVM of its own. */
@Tag("thorough")
class AotTests {

	private static final String[] TYPES = { "welcome-mail", "webhook", "import-contacts", "import-contact",
			"thumbnail" };

	private static final String RUNS_NOTHING = " is false: this process runs no jobs";

	@TempDir
	static Path processed;

	private final Database database = DevPostgres.shared().createDatabase("aot");

	private final JdbcClient jdbc = JdbcClient.create(this.database.dataSource());

	@TempDir
	Path directory;

	@BeforeAll
	static void process() throws Exception {
		AotTests tests = new AotTests();
		tests.directory = processed;
		Path sources = processed.resolve("sources");
		Path classes = processed.resolve("classes");
		Process processor = tests.java("processor", classPath(),
				"org.springframework.boot.SpringApplicationAotProcessor", SampleApplication.class.getName(),
				sources.toString(), classes.toString(), classes.toString(), "io.rowqueue", "sample-app");
		assertThat(processor.waitFor()).as(tests.log("processor")).isZero();
		compile(sources, classes);
	}

	@Test
	void jobsOfEachTypeRunInTheProcessedApplication() throws Exception {
		whileItRuns(() -> {
			assertThat(succeeded()).contains(TYPES);
			assertThat(log("sample")).contains("Starting AOT-processed SampleApplication");
		});
	}

	@Test
	void aProcessedApplicationRunsNoJobsIfItIsToldSoAtItsStart() throws Exception {
		whileItRuns(() -> {
			assertThat(log("sample")).contains("rowqueue.worker.enabled" + RUNS_NOTHING);
			assertThat(count("select count(*) from rowqueue.job where state = 'queued'")).isPositive();
		}, "--rowqueue.worker.enabled=false");
		assertThat(log("sample")).doesNotContain("with concurrency");
		assertThat(succeeded()).isEmpty();
	}

	@Test
	void aProcessedApplicationLeavesTheDatabaseAloneIfTheQueueIsSwitchedOffAtItsStart() throws Exception {
		whileItRuns(
				() -> assertThat(log("sample")).contains("The job queue is off: this process runs no jobs")
					.contains("Started SampleApplication"),
				"--rowqueue.enabled=false", "--sample.demo.sign-ups=0", "--sample.demo.pictures=0",
				"--sample.demo.contacts=0");
		assertThat(count("select count(*) from pg_namespace where nspname = 'rowqueue'")).isZero();
	}

	private void whileItRuns(ThrowingRunnable assertions, String... settings) throws Exception {
		List<String> arguments = new ArrayList<>(
				List.of("-Dspring.aot.enabled=true", SampleApplication.class.getName()));
		arguments.addAll(List.of(settings));
		Process sample = java("sample", processed.resolve("classes") + File.pathSeparator + classPath(),
				arguments.toArray(String[]::new));
		try {
			await().atMost(Duration.ofMinutes(5))
				.failFast("the sample has ended", () -> !sample.isAlive())
				.ignoreExceptionsInstanceOf(BadSqlGrammarException.class) // no tables yet
				.untilAsserted(assertions);
		}
		finally {
			sample.destroy();
			sample.waitFor();
		}
	}

	/** What a processor has decided counts at run time as well. */
	private List<String> settings(String... others) {
		return Stream
			.concat(Stream.of(this.database.properties("spring.datasource")),
					Stream.of("server.port=0", "sample.data-dir=" + this.directory.resolve("data"),
							"sample.demo.sign-up-every=200ms", "sample.demo.sign-ups=5", "sample.demo.pictures=1",
							"sample.demo.contacts=3", "sample.receiver.failure-rate=0",
							"spring.main.log-startup-info=true"))
			.map((setting) -> "--" + setting)
			.filter((setting) -> !names(others).contains(name(setting)))
			.toList();
	}

	private static List<String> names(String... settings) {
		return Stream.of(settings).map(AotTests::name).toList();
	}

	private static String name(String setting) {
		return setting.replaceFirst("=.*", "");
	}

	private Process java(String name, String classPath, String... arguments) throws IOException {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1",
						"-XX:+UseSerialGC", "-cp", classPath));
		command.addAll(Arrays.asList(arguments));
		command.addAll(settings(arguments));
		return new ProcessBuilder(command).redirectErrorStream(true)
			.redirectOutput(this.directory.resolve(name + ".log").toFile())
			.start();
	}

	private String log(String name) throws IOException {
		return Files.readString(this.directory.resolve(name + ".log"));
	}

	private static void compile(Path sources, Path classes) throws IOException {
		JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
		try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);
				Stream<Path> found = Files.walk(sources)) {
			List<Path> generated = found.filter((file) -> file.toString().endsWith(".java")).toList();
			List<String> options = List.of("-proc:none", "-nowarn", "-parameters", "-d", classes.toString(), "-cp",
					classes + File.pathSeparator + classPath());
			assertThat(compiler.getTask(null, files, null, options, null, files.getJavaFileObjectsFromPaths(generated))
				.call()).isTrue();
		}
	}

	/** What the application has, without these tests. */
	private static String classPath() {
		String all = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
		return Arrays.stream(all.split(File.pathSeparator))
			.filter((entry) -> !Path.of(entry).endsWith("test-classes"))
			.collect(Collectors.joining(File.pathSeparator));
	}

	private long count(String sql) {
		return this.jdbc.sql(sql).query(Long.class).single();
	}

	private List<String> succeeded() {
		return this.jdbc.sql("select distinct type from rowqueue.job_finished where state = 'succeeded'")
			.query((row, index) -> row.getString(1))
			.list();
	}

}
