package io.rowqueue.lab.horizon;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.rowqueue.lab.Arguments;
import io.rowqueue.lab.Machine;
import io.rowqueue.lab.Sql;
import io.rowqueue.postgres.Database;
import io.rowqueue.postgres.PrivatePostgres;

/** Runs the phases of the harness with our adapter, on a server of its own. */
public final class Horizon {

	static final String DATABASE = "rowqueue_bench";

	private static final Map<String, String> SERVER = Map.of("max_connections", "400", "shared_buffers", "512MB",
			"max_wal_size", "4GB");

	private static final int SAMPLE_SECONDS = 5;

	private static final int KILL_SECONDS = 20;

	private static final int DRAIN_SECONDS = 120;

	private static final double HIGH_LOAD = 1.5;

	private static final String LEFT = "select count(*) from rowqueue.job";

	private static final String FINISHED = "select count(*) from rowqueue.job_finished where state = 'succeeded'";

	private static final String DEAD = "select coalesce(sum(n_dead_tup), 0) from pg_stat_user_tables where schemaname = 'rowqueue'";

	private static final String MEGABYTES = "select coalesce(sum(pg_total_relation_size(relid)), 0) / 1e6 from pg_stat_user_tables where schemaname = 'rowqueue'";

	private static final String USAGE = """
			horizon [--scenarios pressure,chaos] [--replicas n] [--rate n] [--workers n] [--seconds n] [--directory d]

			  --scenarios  pressure: readers, an idle transaction and a high load;
			               chaos: processes, the server and sessions are killed, connections are held
			  --replicas   processes, each of which enqueues and works; default 2
			  --rate       jobs a second that each of them enqueues; default 800
			  --workers    slots of each of them; default 32
			  --seconds    of each phase; default 60
			  --directory  where horizon.md and the logs go; default target/horizon
			""";

	private final PrivatePostgres server;

	private final Database database;

	private final Path directory;

	private final Path rateFile;

	private final int rate;

	private final int workers;

	private final List<Replica> replicas = new ArrayList<>();

	private volatile Figures figures = new Figures();

	private Horizon(PrivatePostgres server, Path directory, int rate, int workers) {
		this.server = server;
		this.database = server.database(DATABASE);
		this.directory = directory;
		this.rateFile = directory.resolve("rate");
		this.rate = rate;
		this.workers = workers;
	}

	/**
	 * Runs.
	 * @param words the arguments
	 * @return 0; 1: a job was lost, or a process ended; 2: it was called in a wrong way
	 * @throws Exception if the lab fails
	 */
	public static int run(String... words) throws Exception {
		if (Arguments.askForHelp(words)) {
			System.out.print(USAGE);
			return 0;
		}
		Arguments arguments = new Arguments(words);
		List<String> scenarios = arguments.list("--scenarios").orElse(List.of("pressure", "chaos"));
		int replicas = arguments.value("--replicas").map(Integer::parseInt).orElse(2);
		int rate = arguments.value("--rate").map(Integer::parseInt).orElse(800);
		int workers = arguments.value("--workers").map(Integer::parseInt).orElse(32);
		int seconds = arguments.value("--seconds").map(Integer::parseInt).orElse(60);
		Path directory = arguments.value("--directory").map(Path::of).orElse(Machine.output("horizon"));
		arguments.end();
		Files.createDirectories(directory);
		List<String> lines = new ArrayList<>(List.of("# Long horizon", "", Machine.current().description() + "; "
				+ replicas + " processes, each with " + rate + " jobs/s of 1 ms and " + workers + " slots", ""));
		boolean good = true;
		Path home = Machine.scratch("horizon").resolve("server");
		for (String scenario : scenarios) {
			List<Phase> phases = Phase.of(scenario, seconds);
			lines.addAll(List.of("## " + scenario, "", Figures.head()));
			try (PrivatePostgres server = PrivatePostgres.create(home, SERVER)) {
				Sql.execute(server.database(), "create database " + DATABASE);
				Horizon run = new Horizon(server, directory, rate, workers);
				good &= run.run(phases, replicas, lines);
			}
		}
		Files.write(directory.resolve("horizon.md"), lines);
		System.out.println("Report: " + directory.resolve("horizon.md"));
		return good ? 0 : 1;
	}

	private boolean run(List<Phase> phases, int count, List<String> lines) throws Exception {
		setRate(this.rate);
		for (int i = 0; i < count; i++) {
			this.replicas.add(start(i));
		}
		for (Phase phase : phases) {
			this.figures = new Figures();
			perform(phase);
			String row = this.figures.row(phase.name(), phase.seconds() / SAMPLE_SECONDS,
					Sql.number(this.database, DEAD), Sql.number(this.database, MEGABYTES));
			System.out.println(row);
			lines.add(row);
		}
		boolean alive = this.replicas.stream().allMatch(Replica::isAlive);
		setRate(0);
		long left = awaitDrained();
		boolean stopped = true;
		for (Replica replica : this.replicas) {
			stopped &= replica.stop();
		}
		String verdict = "%,d jobs succeeded, %,d are left; processes %s, and %s".formatted(
				(long) Sql.number(this.database, FINISHED), left, alive ? "all lived" : "ENDED",
				stopped ? "stopped when they were asked to" : "DID NOT STOP");
		System.out.println(verdict);
		lines.addAll(List.of("", verdict, ""));
		return alive && stopped && left == 0;
	}

	private Replica start(int instance) throws Exception {
		Map<String, String> environment = Map.of("DATABASE_URL",
				"postgres://" + this.database.username() + ":" + this.database.password() + "@127.0.0.1:"
						+ this.server.port() + "/" + DATABASE,
				"SCENARIO", "long_horizon", "PRODUCER_PACING", "adapter", "PRODUCER_RATE", Integer.toString(this.rate),
				"PRODUCER_RATE_CONTROL_FILE", this.rateFile.toString(), "WORKER_COUNT", Integer.toString(this.workers),
				"SAMPLE_EVERY_S", Integer.toString(SAMPLE_SECONDS), "BENCH_INSTANCE_ID", Integer.toString(instance));
		return Replica.start(environment, this.directory.resolve("replica-" + instance),
				(name, value) -> this.figures.add(name, value));
	}

	private void perform(Phase phase) throws Exception {
		Chaos chaos = new Chaos(this.server, this.database);
		int seconds = phase.seconds();
		switch (phase.kind()) {
			case CLEAN -> TimeUnit.SECONDS.sleep(seconds);
			case HIGH_LOAD -> {
				setRate(this.rate * HIGH_LOAD);
				TimeUnit.SECONDS.sleep(seconds);
				setRate(this.rate);
			}
			case IDLE_IN_TRANSACTION -> chaos.idleInTransaction(seconds);
			case ACTIVE_READERS -> chaos.activeReaders(seconds);
			case KILL_WORKER -> {
				this.replicas.get(0).kill();
				TimeUnit.SECONDS.sleep(seconds);
			}
			case START_WORKER -> {
				this.replicas.set(0, start(0));
				TimeUnit.SECONDS.sleep(seconds);
			}
			case REPEATED_KILL -> {
				for (int left = seconds; left > 0; left -= KILL_SECONDS) {
					this.replicas.get(0).kill();
					this.replicas.set(0, start(0));
					TimeUnit.SECONDS.sleep(Math.min(left, KILL_SECONDS));
				}
			}
			case SERVER_RESTART -> chaos.restart(seconds);
			case BACKEND_KILL -> chaos.killBackends(seconds);
			case CONNECTIONS_HELD -> chaos.holdConnections(seconds);
		}
	}

	private void setRate(double jobsPerSecond) throws Exception {
		Files.writeString(this.rateFile, Double.toString(jobsPerSecond));
	}

	private long awaitDrained() throws Exception {
		long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DRAIN_SECONDS);
		long left;
		do {
			TimeUnit.SECONDS.sleep(1);
			left = (long) Sql.number(this.database, LEFT);
		}
		while (left > 0 && System.nanoTime() < deadline);
		return left;
	}

}
