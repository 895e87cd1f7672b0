package io.rowqueue.lab.bench;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/** What is read off the server and the processes between the marks of a run. */
final class Probe implements AutoCloseable {

	private static final String COUNTERS = """
			select pg_current_wal_insert_lsn() - '0/0' as wal,
				pg_snapshot_xmax(pg_current_snapshot())::text::bigint as commits,
				(select coalesce(sum(n_tup_upd + n_tup_del), 0) from pg_stat_user_tables) as dead""";

	private final String url;

	private final Connection connection;

	private final @Nullable ProcessHandle server;

	private @Nullable Connection snapshot;

	private long begin;

	private long end;

	private Map<String, Double> before = Map.of();

	private Map<String, Double> after = Map.of();

	Probe(String url, @Nullable ProcessHandle server) throws SQLException {
		this.url = url;
		this.connection = DriverManager.getConnection(url);
		this.server = server;
	}

	/** Opens a transaction that keeps every dead row until the end. */
	void pin() throws SQLException {
		Connection pinning = DriverManager.getConnection(this.url);
		this.snapshot = pinning;
		try (Statement statement = pinning.createStatement()) {
			statement.execute("begin isolation level repeatable read");
			statement.execute("select count(*) from pg_class");
		}
	}

	void start(Iterable<ProcessHandle> clients) throws SQLException {
		this.before = read(clients);
		this.begin = System.nanoTime();
	}

	void end(Iterable<ProcessHandle> clients) throws SQLException {
		this.end = System.nanoTime();
		this.after = read(clients);
		if (this.snapshot != null) {
			this.snapshot.close();
		}
	}

	/** The measured time. */
	double seconds() {
		return (this.end - this.begin) / 1e9;
	}

	/**
	 * What was used, for each of so many jobs where that makes sense. The counters of
	 * sessions are complete only when these have ended: call it after the contestant's
	 * processes have.
	 */
	Map<String, Double> metrics(double jobs) throws SQLException {
		Map<String, Double> used = new LinkedHashMap<>();
		used.put("wall_s", seconds());
		if (this.server != null) {
			used.put("server_cpu", difference(this.after, "server") / seconds());
		}
		used.put("client_cpu", difference(this.after, "client") / seconds());
		if (jobs > 0) {
			used.put("wal_bytes_per_job", difference(this.after, "wal") / jobs);
			used.put("commits_per_job", difference(this.after, "commits") / jobs);
			used.put("dead_tuples_per_job", difference(counters(), "dead") / jobs);
		}
		return used;
	}

	private double difference(Map<String, Double> later, String key) {
		return later.getOrDefault(key, 0.0) - this.before.getOrDefault(key, 0.0);
	}

	private Map<String, Double> read(Iterable<ProcessHandle> clients) throws SQLException {
		Map<String, Double> values = counters();
		double client = 0;
		for (ProcessHandle process : clients) {
			client += CpuTime.of(process);
		}
		values.put("client", client);
		if (this.server != null) {
			values.put("server", CpuTime.of(this.server));
		}
		return values;
	}

	private Map<String, Double> counters() throws SQLException {
		Map<String, Double> values = new LinkedHashMap<>();
		try (Statement statement = this.connection.createStatement();
				ResultSet row = statement.executeQuery(COUNTERS)) {
			row.next();
			for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
				values.put(row.getMetaData().getColumnLabel(i), row.getDouble(i));
			}
		}
		return values;
	}

	@Override
	public void close() throws SQLException {
		if (this.snapshot != null) {
			this.snapshot.close();
		}
		this.connection.close();
	}

}
