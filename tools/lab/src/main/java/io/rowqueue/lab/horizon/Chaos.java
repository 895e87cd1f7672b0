package io.rowqueue.lab.horizon;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import io.rowqueue.lab.Sql;
import io.rowqueue.postgres.Database;
import io.rowqueue.postgres.PrivatePostgres;
import io.rowqueue.postgres.StopMode;

/** Does to the database what a phase wants. */
final class Chaos {

	private static final int READERS = 4;

	private static final int HELD = 300;

	private static final int READER_PAUSE_MILLIS = 100;

	private static final int KILL_MILLIS = 500;

	private static final String KILL = """
			select pg_terminate_backend(pid) from pg_stat_activity
			where datname = 'rowqueue_bench' and pid <> pg_backend_pid() order by random() limit 1""";

	private final PrivatePostgres server;

	private final Database database;

	Chaos(PrivatePostgres server, Database database) {
		this.server = server;
		this.database = database;
	}

	/** Waits, with a transaction that keeps all that dies. */
	void idleInTransaction(int seconds) throws Exception {
		try (Connection connection = Sql.open(this.database); Statement statement = connection.createStatement()) {
			connection.setAutoCommit(false);
			statement.execute("select pg_current_xact_id()");
			TimeUnit.SECONDS.sleep(seconds);
			connection.rollback();
		}
	}

	/** Waits, while some sessions read the whole table in one transaction each. */
	void activeReaders(int seconds) throws Exception {
		AtomicBoolean stopped = new AtomicBoolean();
		List<Thread> readers = new ArrayList<>();
		for (int i = 0; i < READERS; i++) {
			Thread reader = new Thread(() -> read(stopped), "reader-" + i);
			readers.add(reader);
			reader.start();
		}
		TimeUnit.SECONDS.sleep(seconds);
		stopped.set(true);
		for (Thread reader : readers) {
			reader.join();
		}
	}

	private void read(AtomicBoolean stopped) {
		try (Connection connection = Sql.open(this.database); Statement statement = connection.createStatement()) {
			connection.setAutoCommit(false);
			connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
			while (!stopped.get()) {
				statement.execute("select count(*) from " + Samples.TABLES.get(0));
				TimeUnit.MILLISECONDS.sleep(READER_PAUSE_MILLIS);
			}
			connection.rollback();
		}
		catch (SQLException | InterruptedException ex) {
			throw new IllegalStateException("A reader has ended early", ex);
		}
	}

	/** Stops the server for half of the time. */
	void restart(int seconds) throws InterruptedException {
		this.server.stop(StopMode.FAST);
		TimeUnit.SECONDS.sleep(seconds / 2);
		this.server.start();
		TimeUnit.SECONDS.sleep(seconds - seconds / 2);
	}

	/** Terminates a session at a time. */
	void killBackends(int seconds) throws Exception {
		long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
		try (Connection connection = Sql.open(this.server.database());
				Statement statement = connection.createStatement()) {
			while (System.nanoTime() < end) {
				statement.execute(KILL);
				TimeUnit.MILLISECONDS.sleep(KILL_MILLIS);
			}
		}
	}

	/** Waits, with many idle connections to the same database. */
	void holdConnections(int seconds) throws Exception {
		List<Connection> held = new ArrayList<>();
		try {
			for (int i = 0; i < HELD; i++) {
				held.add(Sql.open(this.database));
			}
			TimeUnit.SECONDS.sleep(seconds);
		}
		finally {
			for (Connection connection : held) {
				connection.close();
			}
		}
	}

}
