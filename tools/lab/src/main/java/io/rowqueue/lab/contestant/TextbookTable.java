package io.rowqueue.lab.contestant;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import com.zaxxer.hikari.HikariDataSource;
import org.postgresql.PGConnection;

/**
 * No library: one table, many claimed with one statement and finished with another. What
 * SQL itself allows here, and a loop that listens for latency.
 */
final class TextbookTable implements Contestant {

	private static final int WORKERS = 4;

	private static final int BATCH = 500;

	private static final int POLL_MILLIS = 5;

	private final boolean deletes;

	private final boolean notifies;

	private final Db db;

	private final Ledger ledger;

	private final HikariDataSource pool;

	private final Connection watch;

	private final AtomicInteger held = new AtomicInteger();

	private final Semaphore wakeUps = new Semaphore(0);

	private final List<Thread> threads = new ArrayList<>();

	private volatile boolean stopped;

	private TextbookTable(Db db, Ledger ledger, boolean deletes, boolean notifies) throws SQLException {
		this.deletes = deletes;
		this.notifies = notifies;
		this.db = db;
		this.ledger = ledger;
		this.pool = db.pool(9);
		this.watch = db.connect();
	}

	/**
	 * Creates the table.
	 * @param deletes whether a finished job is deleted; otherwise it is kept
	 * @param notifies whether workers are notified; else they poll
	 */
	static TextbookTable create(Db db, Ledger ledger, boolean deletes, boolean notifies) throws SQLException {
		db.execute("""
				create table if not exists job (
					id bigint generated always as identity primary key,
					status smallint not null default 0,
					run_at timestamptz not null default now(),
					locked_until timestamptz,
					payload jsonb not null)""", "create index if not exists job_ready on job (id) where status = 0");
		return new TextbookTable(db, ledger, deletes, notifies);
	}

	@Override
	public String version() {
		return "–";
	}

	@Override
	public String settings() {
		return WORKERS + " connections, " + BATCH + " a claim, finished by " + (this.deletes ? "DELETE" : "UPDATE")
				+ (this.notifies ? ", LISTEN" : ", idle poll " + POLL_MILLIS + " ms");
	}

	@Override
	public void enqueue(int job) throws SQLException {
		String sql = this.notifies
				? "with i as (insert into job (payload) values (?::jsonb)) select pg_notify('job', '')"
				: "insert into job (payload) values (?::jsonb)";
		try (Connection connection = this.pool.getConnection();
				PreparedStatement insert = connection.prepareStatement(sql)) {
			insert.setString(1, Payload.of(job).json());
			insert.execute();
		}
	}

	@Override
	public void enqueueAll(int from, int to) throws SQLException {
		String[] payloads = new String[to - from];
		Arrays.setAll(payloads, (index) -> Payload.of(from + index).json());
		try (Connection connection = this.pool.getConnection();
				PreparedStatement insert = connection
					.prepareStatement("insert into job (payload) select p::jsonb from unnest(?::text[]) p")) {
			insert.setArray(1, connection.createArrayOf("text", payloads));
			insert.execute();
		}
	}

	@Override
	public void fill(int jobs) throws SQLException {
		this.db.execute("insert into job (payload) select (" + Payload.jsonSql("i")
				+ ")::jsonb from generate_series(0, " + (jobs - 1) + ") i");
	}

	@Override
	public String table() {
		return "job";
	}

	@Override
	public Optional<String> number() {
		return Optional.of("payload->>'n'");
	}

	@Override
	public String waiting() {
		return this.deletes ? "job" : "job where status <> 2";
	}

	@Override
	public void startWorker() {
		this.stopped = false;
		for (int i = 0; i < WORKERS; i++) {
			start("worker-" + i, this::work);
		}
		if (this.notifies) {
			start("listener", this::listen);
		}
	}

	private void start(String name, Loop loop) {
		Thread thread = new Thread(() -> {
			try (Connection connection = this.pool.getConnection()) {
				loop.run(connection);
			}
			catch (SQLException | InterruptedException ex) {
				ex.printStackTrace();
				Runtime.getRuntime().halt(1);
			}
		}, name);
		thread.setDaemon(true);
		thread.start();
		this.threads.add(thread);
	}

	private void work(Connection connection) throws SQLException, InterruptedException {
		PreparedStatement claim = connection.prepareStatement("""
				update job set status = 1, locked_until = now() + interval '1 minute'
				where id = any (array(select id from job where status = 0 order by id limit ? for update skip locked))
				returning id, (payload->>'n')::int""");
		PreparedStatement finish = connection.prepareStatement(this.deletes ? "delete from job where id = any (?)"
				: "update job set status = 2, locked_until = null where id = any (?)");
		Long[] ids = new Long[BATCH];
		while (!this.stopped) {
			claim.setInt(1, BATCH);
			int claimed = 0;
			try (ResultSet jobs = claim.executeQuery()) {
				while (jobs.next()) {
					this.held.incrementAndGet();
					ids[claimed++] = jobs.getLong(1);
					this.ledger.begin(jobs.getInt(2));
				}
			}
			if (claimed > 0) {
				finish.setArray(1, connection.createArrayOf("bigint", Arrays.copyOf(ids, claimed)));
				finish.executeUpdate();
				this.held.addAndGet(-claimed);
			}
			else if (this.wakeUps.tryAcquire(this.notifies ? 1000 : POLL_MILLIS, TimeUnit.MILLISECONDS)) {
				this.wakeUps.drainPermits();
			}
		}
	}

	private void listen(Connection connection) throws SQLException {
		try (Statement statement = connection.createStatement()) {
			statement.execute("listen job");
			while (!this.stopped) {
				if (connection.unwrap(PGConnection.class).getNotifications(1000).length > 0) {
					this.wakeUps.release();
				}
			}
			statement.execute("unlisten job");
		}
	}

	@Override
	public void stopWorker() throws InterruptedException {
		this.stopped = true;
		for (Thread thread : this.threads) {
			thread.join();
		}
		this.threads.clear();
	}

	@Override
	public boolean isDrained() throws SQLException {
		return this.held.get() == 0 && Db.isTrue(this.watch,
				"select not exists (select from job" + (this.deletes ? ")" : " where status <> 2)"));
	}

	@FunctionalInterface
	private interface Loop {

		void run(Connection connection) throws SQLException, InterruptedException;

	}

}
