package io.rowqueue.lab.cost;

import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.rowqueue.lab.Sql;
import io.rowqueue.lab.bench.CpuTime;
import io.rowqueue.postgres.Database;

/** The measurements of one database. */
final class CostRun {

	private static final int RATE = 1000;

	private static final int KINDS = 14;

	/** How often a page is asked for; the first one is unmeasured. */
	private static final int REQUESTS = 11;

	private static final int WARM_UP_SECONDS = 8;

	private static final int SECONDS_UNTIL_COUNTED = 3;

	private final CostServer server;

	private final Database database;

	private final Statements statements;

	private final Lanes lanes;

	private final int seconds;

	private final Consumer<String> report;

	CostRun(CostServer server, Database database, Lanes lanes, int seconds, Consumer<String> report) {
		this.server = server;
		this.database = database;
		this.statements = new Statements(database);
		this.lanes = lanes;
		this.seconds = seconds;
		this.report = report;
	}

	/** Creates the tables. */
	void create() throws IOException {
		start("tables", 1, 0).close();
	}

	/**
	 * Fills the table with jobs, and leaves the server as if they had been there for
	 * long. Indexes are built afterwards, which takes a third of the time.
	 */
	void fill(long jobs) throws SQLException {
		if (jobs > 0) {
			List<String> indexes = Sql.texts(this.database, "select indexdef from pg_indexes"
					+ " where schemaname = 'rowqueue' and tablename = 'job' and indexname <> 'job_pkey'");
			List<String> statements = new ArrayList<>(
					Sql.texts(this.database, "select 'drop index rowqueue.' || indexname from pg_indexes"
							+ " where schemaname = 'rowqueue' and tablename = 'job' and indexname <> 'job_pkey'"));
			// a table that was emptied by the same transaction needs no log
			statements.addAll(List.of("set maintenance_work_mem = '2GB'", "begin", "truncate rowqueue.job",
					this.lanes.fill(jobs), "commit"));
			statements.addAll(indexes);
			Sql.execute(this.database, statements.toArray(String[]::new));
		}
		settle();
	}

	/** Nothing is left to write, or to clean up. */
	void settle() throws SQLException {
		Sql.execute(this.database, "vacuum analyze rowqueue.job", "vacuum analyze rowqueue.job_finished", "checkpoint");
	}

	/**
	 * An application that has no handler for any of the jobs: what looking at them costs.
	 */
	void idle() throws Exception {
		try (CostProcess process = start("idle", 0, 0)) {
			Sql.execute(this.database, "update rowqueue.maintenance_task set next_run_at = clock_timestamp()");
			measure("idle, with each task of the maintenance once", process, this.seconds);
			requests(process);
		}
	}

	/** The same while a few scheduled jobs become due all the time. */
	void promote() throws Exception {
		Sql.execute(this.database, this.lanes.schedule((long) RATE * (this.seconds + 60), RATE), "checkpoint");
		try (CostProcess process = start("promotion", 0, 0)) {
			measure(RATE + " scheduled jobs a second become due", process, this.seconds);
		}
	}

	/**
	 * Another process enqueues jobs in all lanes, and the application runs them at once.
	 */
	void load(int millis) throws Exception {
		try (CostProcess process = start("load", this.lanes.types(), millis);
				SqlProducer producer = new SqlProducer(this.database, this.lanes, RATE)) {
			TimeUnit.SECONDS.sleep(WARM_UP_SECONDS);
			process.waits();
			measure(RATE + " jobs a second in all lanes, " + millis + " ms each", process, this.seconds);
			double[] waits = process.waits();
			line("  ran %,.0f, wait p50 %.1f ms, p99 %.1f ms", waits[0], waits[1], waits[2]);
		}
	}

	/** The application drains what waits, with the log empty at the beginning. */
	double drain(int millis) throws Exception {
		try (CostProcess process = start("drain", this.lanes.types(), millis)) {
			double before = finished();
			long begin = System.nanoTime();
			measure("drain", process, this.seconds);
			double rate = (finished() - before) / ((System.nanoTime() - begin) / 1e9);
			line("  drained %,.0f jobs a second", rate);
			return rate;
		}
	}

	private double finished() throws SQLException {
		return Sql.number(this.database, "select sum(n_tup_ins) from pg_stat_user_tables"
				+ " where schemaname = 'rowqueue' and relname like 'job_finished%'");
	}

	private CostProcess start(String name, int types, int millis) throws IOException {
		CostProcess process = CostProcess.start(this.database, types, millis);
		line("%s: started in %.0f ms", name, process.first());
		return process;
	}

	private void measure(String what, CostProcess process, int time) throws Exception {
		this.statements.reset();
		double client = CpuTime.of(process.handle());
		double server = CpuTime.of(this.server.process());
		double log = log();
		long begin = System.nanoTime();
		TimeUnit.SECONDS.sleep(time);
		double elapsed = (System.nanoTime() - begin) / 1e9;
		line("%s: client %.1f %%, server %.1f %% of a core, %,.1f MB of WAL; in %.0f s", what,
				(CpuTime.of(process.handle()) - client) / elapsed * 100,
				(CpuTime.of(this.server.process()) - server) / elapsed * 100, (log() - log) / 1e6, elapsed);
		this.report.accept(this.statements.report(KINDS));
	}

	private double log() throws SQLException {
		return Sql.number(this.database, "select pg_current_wal_insert_lsn() - '0/0'");
	}

	private void requests(CostProcess process) throws Exception {
		long id = (long) Sql.number(this.database,
				"select coalesce((select id from rowqueue.job order by id desc limit 1), 0)");
		List<String> requests = new ArrayList<>(List.of("overview", "queues", "list", "endpoint"));
		if (id > 0) {
			requests.add("explain " + id);
		}
		for (String request : requests) {
			process.ask(request);
			TimeUnit.SECONDS.sleep(SECONDS_UNTIL_COUNTED);
			double buffers = buffers();
			List<Double> times = new ArrayList<>();
			for (int i = 0; i < REQUESTS; i++) {
				times.add(process.ask(request));
			}
			Collections.sort(times);
			line("%s: %.1f ms (%.1f–%.1f), %,.0f buffers", request.split(" ", -1)[0], times.get(REQUESTS / 2),
					times.get(0), times.get(REQUESTS - 1), (buffers() - buffers) / REQUESTS);
		}
	}

	/** What all statements have read, with those of the idle application. */
	private double buffers() throws SQLException {
		return Sql.number(this.database,
				"select sum(shared_blks_hit + shared_blks_read) from pg_stat_statements where dbid ="
						+ " (select oid from pg_database where datname = current_database())");
	}

	private void line(String format, Object... values) {
		this.report.accept(String.format(Locale.ROOT, format, values));
	}

}
