package io.rowqueue.lab.contestant;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

import com.zaxxer.hikari.HikariDataSource;

/**
 * Does to the product's rows what the product's worker does to them, by a program that
 * does nothing else: what the server alone needs for a job, and the limit for the worker.
 * It does not listen and runs nothing but jobs that were there before it, each for the
 * first time.
 */
final class BareWorker implements Contestant {

	private static final int THREADS = 4;

	private static final int BATCH = 500;

	private static final int POLL_MILLIS = 5;

	private static final String REGISTER = """
			insert into rowqueue.worker (name, queues, types) values ('limit-rows', '{default}', '{mail}') returning id""";

	/**
	 * The time is where the next claim begins: behind the dead entries of the index. Rows
	 * that another thread is claiming have an {@code xmax}.
	 */
	private static final String CLAIM = """
			with pick as materialized (
				select j.ctid as tid, j.id, j.order_at
				from rowqueue.job j
				where j.indexed_state = 'queued' and case when j.worker_id is null then true else false end
					and j.queue = 'default' and j.type = 'mail' and j.priority = 0 and j.order_at >= ? and case when j.xmax in (0, j.xmin) then true else false end
				order by j.queue, j.type, j.priority, j.order_at, j.id
				limit ?
				for no key update skip locked),
			noted as (
				insert into rowqueue.claim (worker_id, job_ids) select ?, array_agg(id) from pick having count(*) > 0 returning id)
			update rowqueue.job j
			set state = 'starting', attempt = least(j.attempt, 32766) + 1, lease = j.lease + 1, worker_id = ?, leased_at = clock_timestamp()
			where j.ctid = any (array(select tid from pick))
			returning j.id, (j.payload->>'n')::int, (select max(order_at) from pick), (select id from noted)""";

	private static final String ENDED = """
			delete from rowqueue.job
			where id = any (?) and worker_id = ? and lease = 1 and tracked is null and unique_for is null""";

	private static final String OVER = """
			with over as (
				delete from rowqueue.claim where worker_id = ? and id = ?)
			""";

	private static final String DELETE = OVER + ENDED;

	private static final String KEEP = OVER + """
			, ended as (
			""" + ENDED
			+ """

						returning id, unique_key, run_at, created_at, leased_at, worker_id, priority, attempt, max_attempts, queue, type,
							last_error, case when pg_column_size(payload) <= 2000 then payload end as payload)
					insert into rowqueue.job_finished (id, run_at, created_at, leased_at, worker_id, priority, attempt, max_attempts,
						queue, type, unique_key, last_error, payload, state, finished_at, result)
					select id, run_at, created_at, leased_at, worker_id, priority, attempt, max_attempts,
						queue, type, unique_key, last_error, payload, 'succeeded', clock_timestamp(), null
					from ended""";

	private final Db db;

	private final Ledger ledger;

	private final BareInsert insert;

	private final boolean history;

	/** The connections of the threads, open before they run. */
	private final HikariDataSource pool;

	private final Connection watch;

	private final List<Thread> threads = new ArrayList<>();

	private volatile boolean stopped;

	private BareWorker(Db db, Ledger ledger, BareInsert insert, boolean history) throws SQLException {
		this.db = db;
		this.ledger = ledger;
		this.insert = insert;
		this.history = history;
		this.pool = db.pool(THREADS);
		this.watch = db.connect();
	}

	/**
	 * Creates the tables of the product.
	 * @param history whether jobs that have ended are kept
	 */
	static BareWorker create(Db db, Ledger ledger, boolean history) throws SQLException {
		return new BareWorker(db, ledger, BareInsert.create(db, ledger), history);
	}

	@Override
	public String version() {
		return "–";
	}

	@Override
	public String settings() {
		return THREADS + " threads with a connection each, " + BATCH
				+ " jobs claimed and ended a statement, in the product's tables" + (this.history ? "" : ", no history");
	}

	@Override
	public void enqueue(int job) {
		throw new UnsupportedOperationException("it does not wait for later jobs");
	}

	@Override
	public void enqueueAll(int from, int to) throws SQLException {
		this.insert.enqueueAll(from, to);
	}

	@Override
	public void fill(int jobs) throws SQLException {
		try (Connection connection = this.db.connect();
				PreparedStatement fill = connection.prepareStatement(Rowqueue.FILL)) {
			fill.setString(1, Rowqueue.TYPE);
			fill.setInt(2, jobs);
			fill.execute();
		}
	}

	@Override
	public String table() {
		return "rowqueue.job";
	}

	@Override
	public void startWorker() throws SQLException {
		this.stopped = false;
		long id = register();
		for (int i = 0; i < THREADS; i++) {
			Thread thread = new Thread(() -> run(id), "worker-" + i);
			thread.setDaemon(true);
			thread.start();
			this.threads.add(thread);
		}
	}

	private long register() throws SQLException {
		try (Statement statement = this.watch.createStatement(); ResultSet row = statement.executeQuery(REGISTER)) {
			row.next();
			return row.getLong(1);
		}
	}

	private void run(long worker) {
		try (Connection connection = this.pool.getConnection(); Statement statement = connection.createStatement()) {
			statement.execute("set enable_seqscan = off");
			work(connection, worker);
		}
		catch (SQLException | InterruptedException | RuntimeException ex) {
			ex.printStackTrace();
			Runtime.getRuntime().halt(1);
		}
	}

	private void work(Connection connection, long worker) throws SQLException, InterruptedException {
		PreparedStatement claim = connection.prepareStatement(CLAIM);
		claim.setObject(1, OffsetDateTime.MIN);
		claim.setInt(2, BATCH);
		claim.setLong(3, worker);
		claim.setLong(4, worker);
		PreparedStatement end = connection.prepareStatement(this.history ? KEEP : DELETE);
		end.setLong(1, worker);
		end.setLong(4, worker);
		Long[] ids = new Long[BATCH];
		while (!this.stopped) {
			int claimed = 0;
			try (ResultSet jobs = claim.executeQuery()) {
				while (jobs.next()) {
					if (claimed == 0) {
						claim.setObject(1, jobs.getObject(3, OffsetDateTime.class));
						end.setLong(2, jobs.getLong(4));
					}
					ids[claimed++] = jobs.getLong(1);
					this.ledger.begin(jobs.getInt(2));
				}
			}
			if (claimed == 0) {
				TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
				continue;
			}
			end.setArray(3, connection.createArrayOf("bigint", Arrays.copyOf(ids, claimed)));
			if (end.executeUpdate() != claimed) {
				throw new IllegalStateException("Of " + claimed + " jobs some were no longer held");
			}
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
		return Db.isTrue(this.watch, Rowqueue.DRAINED);
	}

}
