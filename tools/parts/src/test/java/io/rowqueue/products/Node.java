package io.rowqueue.products;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import io.rowqueue.JobQueue;
import io.rowqueue.admin.JobAdmin;
import io.rowqueue.engine.admin.DefaultJobAdmin;
import io.rowqueue.engine.control.ChangeScope;
import io.rowqueue.engine.control.PayloadChange;
import io.rowqueue.engine.database.JoinedTransaction;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.QueueDatabases;
import io.rowqueue.engine.database.TransactionEndListener;
import io.rowqueue.schema.SchemaName;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.TestProcess;
import io.rowqueue.testing.UnsafeCommits.Fault;
import io.rowqueue.testing.UnsafeCommits;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * A process with a worker, and what its application has of Spring Boot's: a HikariCP pool
 * and a JdbcTransactionManager. Its connections break at commits.
 */
final class Node {

	private static final long UNSURE_BEFORE = 5_000_000_000L;

	private static final long UNSURE_AFTER = 12_000_000_000L;

	private final String name;

	private final Engine engine;

	private final HikariDataSource application;

	private final PlatformTransactionManager transactions;

	private final JdbcTemplate jdbc;

	private final HikariDataSource foreign;

	private @Nullable TestProcess process;

	private volatile boolean killed;

	private volatile long killedAt;

	private final Queue<Long> takenForDeadAt = new ConcurrentLinkedQueue<>();

	Node(String name, Engine engine, Supplier<Fault> commits) {
		this.name = name;
		this.engine = engine;
		this.application = engine.pool(16,
				new UnsafeCommits(engine.dataSource(), new JdbcTemplate(engine.dataSource()), commits));
		this.application.setConnectionTimeout(20_000);
		this.transactions = TransactionEndListener.addTo(new JdbcTransactionManager(this.application));
		this.jdbc = new JdbcTemplate(this.application);
		this.foreign = engine.pool(16);
		this.foreign.setConnectionTimeout(20_000);
	}

	void runs(TestProcess process) {
		this.process = process;
	}

	TestProcess process() {
		if (this.process == null) {
			throw new IllegalStateException("not started");
		}
		return this.process;
	}

	JobQueue queue() {
		return process().queue();
	}

	Engine engine() {
		return this.engine;
	}

	DataSource application() {
		return this.application;
	}

	PlatformTransactionManager transactions() {
		return this.transactions;
	}

	JdbcTemplate jdbc() {
		return this.jdbc;
	}

	/** Changes jobs in the application's transactions. */
	JobAdmin admin() {
		QueueDatabases databases = new QueueDatabases(new QueueDatabase(this.jdbc, SchemaName.DEFAULT),
				this.engine.queueDatabase());
		return new DefaultJobAdmin(databases, ChangeScope.joining(databases, new JoinedTransaction(this.application)),
				process().wakeUps(), PayloadChange.REFUSED, () -> "");
	}

	/** Transactions of another data source. */
	PlatformTransactionManager foreignTransactions() {
		return TransactionEndListener.addTo(new JdbcTransactionManager(this.foreign));
	}

	/** Dies with its producers: nothing of it reaches the database from now on. */
	void kill() {
		this.killedAt = System.nanoTime();
		this.killed = true;
		process().loseDatabase();
		this.application.close();
	}

	boolean isKilled() {
		return this.killed;
	}

	/** Others take the worker of a job for dead, although it lives. */
	void takeForDead(long job) {
		this.takenForDeadAt.add(System.nanoTime());
		this.engine.jdbc()
			.update("update rowqueue.worker set dead_at = clock_timestamp()"
					+ " where id = (select worker_id from rowqueue.job where id = ?)", job);
	}

	/**
	 * Whether what it began may have lost its lease.
	 * @param endedAt when it ended, which the database learns later
	 */
	boolean mayHaveLost(long begunAt, long endedAt) {
		return (this.killed && endedAt > this.killedAt - UNSURE_BEFORE) || this.takenForDeadAt.stream()
			.anyMatch((dead) -> begunAt > dead - UNSURE_BEFORE && begunAt < dead + UNSURE_AFTER);
	}

	@Override
	public String toString() {
		return this.name;
	}

}
