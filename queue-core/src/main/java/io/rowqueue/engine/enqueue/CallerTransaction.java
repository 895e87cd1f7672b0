package io.rowqueue.engine.enqueue;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Function;
import java.util.function.Supplier;

import javax.sql.DataSource;

import io.rowqueue.JobQueueException;
import io.rowqueue.engine.database.DisabledDataSource;
import io.rowqueue.engine.database.IsolationStatement;
import io.rowqueue.engine.database.JobTransactions;
import io.rowqueue.engine.database.JoinedTransaction;
import io.rowqueue.engine.database.OwnTransaction;
import io.rowqueue.engine.database.TransactionCheck;
import io.rowqueue.engine.database.TransactionEnd;
import io.rowqueue.engine.support.Outage;
import io.rowqueue.engine.support.UncommittedException;
import io.rowqueue.engine.wakeup.Arrivals;
import io.rowqueue.engine.wakeup.WakeUps;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.TransactionDefinition;

/**
 * The transaction of the caller that enqueues, or an own one, which is
 * {@code READ COMMITTED}. A transaction of another database does not count, since it
 * would not commit the job.
 */
public final class CallerTransaction {

	private final DataSource connections;

	private final JoinedTransaction joined;

	private final OwnTransaction own;

	private final SingleStatement single;

	private final IsolationStatement isolation = new IsolationStatement();

	private final boolean separateCommit;

	private final TransactionCheck check;

	/**
	 * Creates the transaction.
	 * @param dataSource the data source that jobs are enqueued with
	 * @param separateCommit whether a commit is never part of a statement, so that it is
	 * known of each failure before it that nothing was stored
	 * ({@link UncommittedException})
	 * @param check of calls outside of a transaction of the data source
	 */
	public CallerTransaction(DataSource dataSource, boolean separateCommit, TransactionCheck check) {
		this.connections = JobTransactions.withoutProxy(dataSource);
		this.joined = new JoinedTransaction(this.connections);
		this.single = new SingleStatement(this.connections, this.isolation);
		this.own = new OwnTransaction(this.connections, TransactionDefinition.ISOLATION_DEFAULT);
		this.separateCommit = separateCommit;
		this.check = check;
	}

	/** Returns whether the caller is in a transaction of the queue's database. */
	boolean isActive() {
		return this.joined.isActive();
	}

	/**
	 * Returns whether what the caller is about to write is part of its transaction. If
	 * not, it is committed on its own.
	 * @throws JobQueueException if the transaction is read-only, one is required, or the
	 * queue is off
	 */
	boolean join() {
		boolean joins = this.joined.join();
		if (!joins) {
			if (this.connections instanceof DisabledDataSource off) {
				throw off.refusal();
			}
			this.check.outside();
		}
		return joins;
	}

	/**
	 * Runs the work in the caller's transaction or in a new one, and wakes the workers
	 * after the commit.
	 * @param writes what the work writes
	 * @param work notes the arrivals
	 */
	<T> T commit(WriteKind writes, Function<Arrivals.Builder, T> work, WakeUps wakeUps) {
		Arrivals.Builder arrivals = new Arrivals.Builder();
		Supplier<T> stored = () -> work.apply(arrivals);
		if (join()) {
			T result = (writes == WriteKind.UNTIL_REJECTED) ? this.joined.attempt(stored, (all) -> true) : stored.get();
			afterCommit(arrivals.build(), wakeUps);
			return result;
		}
		T result = (writes == WriteKind.ONE_STATEMENT) ? createByStatement(stored) : create(stored);
		wakeUps.jobsArrived(arrivals.build());
		return result;
	}

	/** Runs the work in a new transaction. */
	private <T> T create(Supplier<T> work) {
		if (!this.separateCommit) {
			return commitAfter(work);
		}
		try {
			return commitAfter(() -> runUncommitted(work));
		}
		catch (CannotCreateTransactionException ex) {
			throw new UncommittedException(ex);
		}
	}

	private <T> T commitAfter(Supplier<T> work) {
		try {
			ConnectionHolder completed = this.joined.completed();
			return (completed != null)
					? new UnreleasedConnection(completed.getConnection(), this.isolation).commit(work)
					: this.own.run(() -> {
						chooseIsolation();
						return work.get();
					});
		}
		catch (SQLException ex) {
			throw JoinedTransaction.broken(ex);
		}
	}

	private void chooseIsolation() {
		Connection connection = DataSourceUtils.getConnection(this.connections);
		try {
			this.isolation.execute(connection);
		}
		catch (SQLException ex) {
			throw new CannotCreateTransactionException("The isolation cannot be set: " + ex.getMessage(), ex);
		}
		finally {
			DataSourceUtils.releaseConnection(connection, this.connections);
		}
	}

	private static <T> T runUncommitted(Supplier<T> work) {
		try {
			return work.get();
		}
		catch (RuntimeException ex) {
			throw Outage.isAway(ex) ? new UncommittedException(ex) : ex;
		}
	}

	/** Runs work that is a single statement in a new transaction. */
	<T> T createByStatement(Supplier<T> work) {
		try {
			return (!this.separateCommit && this.single.isAlone()) ? this.single.run(work, () -> create(work))
					: create(work);
		}
		catch (SQLException ex) {
			throw JoinedTransaction.broken(ex);
		}
	}

	/**
	 * Runs work in a new transaction whose failure does not mean that nothing was stored:
	 * a broker may have stored the job.
	 */
	void createAnyway(Runnable work) {
		commitAfter(() -> {
			work.run();
			return true;
		});
	}

	/** Wakes the workers after the commit of the caller's transaction. */
	private void afterCommit(Arrivals arrivals, WakeUps wakeUps) {
		PendingJobs pending = pending(wakeUps);
		if (pending != null) {
			pending.add(arrivals);
		}
		else {
			// a wake-up may be too early here, but then polling finds the jobs
			wakeUps.jobsArrived(arrivals);
		}
	}

	/**
	 * Returns the jobs of the caller's transaction.
	 * @return {@code null} if this process is not notified of its end
	 */
	@Nullable PendingJobs pending(WakeUps wakeUps) {
		TransactionEnd end = this.joined.end();
		return (end != null) ? end.participant(wakeUps, () -> new PendingJobs(wakeUps)) : null;
	}

}
