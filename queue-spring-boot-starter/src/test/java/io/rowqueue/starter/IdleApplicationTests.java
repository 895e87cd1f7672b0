package io.rowqueue.starter;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;

import io.rowqueue.postgres.Database;
import io.rowqueue.postgres.PrivatePostgres;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What an application with the starter costs that has nothing to do, with default
 * settings: counted in a process of its own, on a server of its own.
 */
@Tag("thorough")
@EnabledOnOs(OS.LINUX)
class IdleApplicationTests {

	private static final Logger logger = LoggerFactory.getLogger(IdleApplicationTests.class);

	/** Includes what is done once an hour, and for the first time in these minutes. */
	private static final int MAX_STATEMENTS = 7;

	private static final int MAX_CONNECTIONS = 4;

	/** 14 of them are the JVM's. */
	private static final int MAX_THREADS = 26;

	private static final int MAX_CLASSES = 7500;

	/** Includes an idle minute after which threads and connections end. */
	private static final Duration SETTLING = Duration.ofSeconds(90);

	/** What looks most rarely looks once in it. */
	private static final Duration WINDOW = Duration.ofMinutes(5);

	private static final String ENQUEUE = "select rowqueue.enqueue('note')";

	private static final String CONNECTIONS = "select count(*) from pg_stat_activity"
			+ " where backend_type = 'client backend' and pid <> pg_backend_pid()";

	@TempDir
	Path directory;

	private PrivatePostgres server;

	private Process application;

	private BufferedReader answers;

	private Writer requests;

	@BeforeEach
	void startServer() {
		this.server = PrivatePostgres.create(this.directory.resolve("server"),
				Map.of("shared_preload_libraries", "pg_stat_statements", "autovacuum", "off"));
	}

	@AfterEach
	void stopServer() throws Exception {
		if (this.application != null) {
			this.application.destroyForcibly().waitFor();
		}
		this.server.close();
	}

	@Test
	void anApplicationThatHasNothingToDoHoldsAndDoesLittle() throws Exception {
		Database database = this.server.database();
		try (Connection connection = DriverManager.getConnection(database.url(), database.username(),
				database.password()); Statement statement = connection.createStatement()) {
			start(database);
			answer("started"); // the tables exist now
			statement.execute(ENQUEUE);
			answer("cpuMillis");
			stop();
			statement.execute(ENQUEUE);
			start(database);
			String cpu = answer("cpuMillis");
			statement.execute("create extension pg_stat_statements");
			pass(SETTLING);
			statement.execute("select pg_stat_statements_reset()");
			long before = transactions(statement);
			pass(WINDOW);
			double transactions = perMinute(transactions(statement) - before);
			double statements = perMinute(
					count(statement, "select sum(calls) from pg_stat_statements where query not like '%pg_stat%'"));
			long own = count(statement, CONNECTIONS + " and application_name = 'rowqueue'");
			long others = count(statement, CONNECTIONS + " and application_name <> 'rowqueue'");
			this.requests.write("figures\n");
			this.requests.flush();
			String names = answer("threads");
			int classes = Integer.parseInt(answer("classes"));
			long threads = threads();
			logger.info("""
					What an application holds and does that has nothing to do:
					{} statements a minute
					{} transactions a minute
					{} connections of the queue
					{} connections of the application's pool
					{} threads: those of the JVM and {}
					{} classes
					{} ms of CPU until its first job had run
					{}""", statements, transactions, own, others, threads, names, classes, cpu, statements(statement));
			assertThat(statements).isLessThanOrEqualTo(MAX_STATEMENTS);
			assertThat(own).isLessThanOrEqualTo(MAX_CONNECTIONS);
			assertThat(others).as("connections of the application's pool").isZero();
			assertThat(threads).isLessThanOrEqualTo(MAX_THREADS);
			assertThat(classes).isLessThanOrEqualTo(MAX_CLASSES);
		}
	}

	private static String statements(Statement statement) throws SQLException {
		StringBuilder text = new StringBuilder();
		try (ResultSet rows = statement
			.executeQuery("select calls, left(regexp_replace(query, '\\s+', ' ', 'g'), 100) from pg_stat_statements"
					+ " where query not like '%pg_stat%' order by 1 desc")) {
			while (rows.next()) {
				text.append(rows.getLong(1)).append(" × ").append(rows.getString(2)).append('\n');
			}
		}
		return text.toString();
	}

	private void start(Database database) throws IOException {
		this.application = new ProcessBuilder(ProcessHandle.current().info().command().orElse("java"),
				"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto", "-cp",
				System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
				IdleApplication.class.getName(), "--spring.datasource.url=" + database.url(),
				"--spring.datasource.username=" + database.username(),
				"--spring.datasource.password=" + database.password())
			.redirectError(Redirect.INHERIT)
			.start();
		this.answers = new BufferedReader(
				new InputStreamReader(this.application.getInputStream(), StandardCharsets.UTF_8));
		this.requests = this.application.outputWriter(StandardCharsets.UTF_8);
	}

	private void stop() throws Exception {
		this.requests.close();
		this.application.waitFor();
	}

	private String answer(String name) throws IOException {
		for (String line = this.answers.readLine(); line != null; line = this.answers.readLine()) {
			if (line.startsWith(name + "=")) {
				return line.substring(name.length() + 1);
			}
		}
		throw new IOException("The application has ended without " + name);
	}

	/** All threads of the process, those of the JVM included. */
	private long threads() throws IOException {
		try (Stream<Path> tasks = Files.list(Path.of("/proc", Long.toString(this.application.pid()), "task"))) {
			return tasks.count();
		}
	}

	private static void pass(Duration time) {
		long end = System.nanoTime() + time.toNanos();
		Awaitility.await()
			.atMost(time.plusMinutes(1))
			.pollInterval(Duration.ofSeconds(1))
			.until(() -> System.nanoTime() >= end);
	}

	private static double perMinute(long count) {
		return (double) count / WINDOW.toMinutes();
	}

	private static long transactions(Statement statement) throws SQLException {
		statement.execute("select pg_stat_force_next_flush()");
		return count(statement, "select xact_commit from pg_stat_database where datname = current_database()");
	}

	private static long count(Statement statement, String sql) throws SQLException {
		try (ResultSet row = statement.executeQuery(sql)) {
			row.next();
			return row.getLong(1);
		}
	}

}
