package io.rowqueue.lab.scale;

import java.io.IOException;
import java.sql.SQLException;
import java.util.Map;

import io.rowqueue.lab.Machine;
import io.rowqueue.lab.Sql;
import io.rowqueue.lab.bench.CpuTime;
import io.rowqueue.postgres.Database;
import io.rowqueue.postgres.PrivatePostgres;

/** The server of all measurements; each has databases of its own. */
final class ScaleServer implements AutoCloseable {

	private static final Map<String, String> SETTINGS = Map.of("max_connections", "200", "shared_buffers", "512MB",
			"max_wal_size", "4GB");

	private final PrivatePostgres server;

	private int databases;

	ScaleServer() throws IOException {
		this.server = PrivatePostgres.create(Machine.scratch("scale").resolve("server"), SETTINGS);
	}

	/** Creates a database without tables. */
	Database createDatabase() throws SQLException {
		String name = "scale_" + ++this.databases;
		Sql.execute(this.server.database(), "create database " + name);
		return this.server.database(name);
	}

	/**
	 * Deletes what applications have left in memory and on disk, before a measurement.
	 */
	void settle() throws SQLException {
		Sql.execute(this.server.database(), "checkpoint");
	}

	/** What the server has used so far. */
	Usage usage() throws SQLException {
		Database database = this.server.database();
		ProcessHandle process = this.server.process().orElseThrow();
		return new Usage(System.nanoTime() / 1e9, CpuTime.of(process),
				CpuTime.without(ProcessHandle.current(), process),
				Sql.number(database, "select pg_current_wal_insert_lsn() - '0/0'"),
				Sql.number(database, "select sum(xact_commit + xact_rollback) from pg_stat_database"));
	}

	@Override
	public void close() {
		this.server.close();
	}

	/**
	 * What was used.
	 *
	 * @param seconds the time
	 * @param server CPU of the server, in seconds
	 * @param client CPU of this process and its broker, in seconds
	 * @param log bytes of WAL
	 * @param transactions transactions, with those of the measurement
	 */
	record Usage(double seconds, double server, double client, double log, double transactions) {

		Usage since(Usage before) {
			return new Usage(this.seconds - before.seconds, this.server - before.server, this.client - before.client,
					this.log - before.log, this.transactions - before.transactions);
		}

		/** For each of so many jobs. */
		String each(int jobs) {
			return "%,.0f jobs/s, server %.1f µs, client and broker %.1f µs, WAL %,.0f bytes, transactions %.2f a job"
				.formatted(jobs / this.seconds, this.server / jobs * 1e6, this.client / jobs * 1e6, this.log / jobs,
						this.transactions / jobs);
		}

	}

}
