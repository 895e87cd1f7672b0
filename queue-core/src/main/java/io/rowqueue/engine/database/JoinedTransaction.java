package io.rowqueue.engine.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

import javax.sql.DataSource;

import io.rowqueue.JobQueueException;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The transaction that the calling thread is already in. A thread is in one if a
 * connection of the queue's {@code DataSource} is bound to it and is in a transaction.
 * JPA, jOOQ and plain JDBC bind the connection in the same way.
 */
public final class JoinedTransaction {

	private final DataSource dataSource;

	private final Manager manager;

	/**
	 * Creates the transaction.
	 * @param dataSource the data source that jobs are enqueued with
	 */
	public JoinedTransaction(DataSource dataSource) {
		this.dataSource = JobTransactions.withoutProxy(dataSource);
		this.manager = new Manager(this.dataSource);
	}

	/**
	 * Returns whether the calling thread is in a transaction of the queue's database that
	 * commits what is written now.
	 * @throws JobQueueException if that is not known, since the transaction's manager has
	 * no {@link TransactionEndListener}
	 */
	public boolean isActive() {
		ConnectionHolder holder = holder();
		if (holder == null) {
			return false;
		}
		TransactionEnd end = TransactionEnd.of(holder);
		if (end != null) {
			return !end.isOver();
		}
		boolean begun = isBegun(holder);
		if (begun && TransactionSynchronizationManager.isActualTransactionActive()) {
			throw new JobQueueException(
					"The transaction manager that has begun the transaction of this thread does not tell"
							+ " the queue whether it has been committed. Declare it as a bean, and do not let a"
							+ " BeanPostProcessor depend on it");
		}
		return begun;
	}

	private boolean isBegun(ConnectionHolder holder) {
		if (holder.isSynchronizedWithTransaction()) {
			// a read without a transaction may have bound the connection, and nothing
			// commits it
			return this.manager.wouldJoin();
		}
		try {
			return !holder.getConnection().getAutoCommit();
		}
		catch (SQLException ex) {
			throw broken(ex);
		}
	}

	/** Returns the error of a transaction that cannot be asked or continued. */
	public static DataAccessResourceFailureException broken(SQLException ex) {
		return new DataAccessResourceFailureException("The transaction's connection is broken: " + ex.getMessage(), ex);
	}

	/**
	 * Returns whether the calling thread is in a transaction of the queue's database, and
	 * can write in it.
	 */
	public boolean isWritable() {
		ConnectionHolder holder = isActive() ? holder() : null;
		try {
			return holder != null && !holder.getConnection().isReadOnly();
		}
		catch (SQLException ex) {
			throw broken(ex);
		}
	}

	/**
	 * Returns whether the calling thread is in a transaction of the queue's database, in
	 * which it is about to write.
	 * @throws JobQueueException if that transaction is read-only
	 */
	public boolean join() {
		boolean active = isActive();
		if (active && !isWritable()) {
			throw new JobQueueException("The transaction is read-only (@Transactional(readOnly = true)), and jobs can"
					+ " neither be enqueued nor changed in it. Let it be one that writes, or call the queue in a"
					+ " transaction of its own (Propagation.REQUIRES_NEW) or after the commit");
		}
		return active;
	}

	/**
	 * While a transactional handler runs in another shard, the connection that is bound
	 * is one of that shard.
	 */
	private @Nullable ConnectionHolder holder() {
		return SharedConnection.isUsedBy(this.dataSource) ? null
				: (ConnectionHolder) TransactionSynchronizationManager.getResource(this.dataSource);
	}

	/**
	 * Returns the connection of a transaction that has been committed or rolled back, and
	 * notifies its synchronizations of that. Nothing commits what is written over it.
	 */
	public @Nullable ConnectionHolder completed() {
		ConnectionHolder holder = holder();
		TransactionEnd end = end();
		return (end != null && end.isOver()) ? holder : null;
	}

	/**
	 * Returns the end of the transaction of the queue's database that the calling thread
	 * is in.
	 * @return {@code null} if it is in none, or this process is not notified of its end
	 */
	public @Nullable TransactionEnd end() {
		ConnectionHolder holder = holder();
		return (holder != null) ? TransactionEnd.of(holder) : null;
	}

	/**
	 * Returns whether the calling thread is in a transaction of the queue's database, in
	 * which it is about to change jobs. Those that the transaction has enqueued are
	 * waiting from then on: none starts with the commit.
	 */
	public boolean joinToChange() {
		if (!isActive()) {
			return false;
		}
		TransactionEnd end = end();
		if (end != null) {
			end.beforeChange();
		}
		return true;
	}

	/**
	 * Returns what changes jobs in the calling thread's transaction, or else alone:
	 * outside of a transaction, the application's connections need not commit what they
	 * are used for.
	 * @param joining uses the application's connections
	 * @param alone commits each change
	 */
	public <S> Supplier<S> inTransactionOrAlone(S joining, S alone) {
		return () -> joinToChange() ? joining : alone;
	}

	/**
	 * Runs work when the calling thread's transaction is committed, and not at all after
	 * a rollback; at once if it is in none.
	 */
	public void afterCommit(Runnable work) {
		TransactionEnd end = isActive() ? end() : null;
		if (end != null) {
			end.add(work::run);
		}
		else {
			work.run();
		}
	}

	/**
	 * Runs work, and undoes its writes if it throws an exception or the writes are not to
	 * be kept. The transaction can continue in all cases, also after an error of the
	 * database.
	 * @param work the work
	 * @param isKept whether the writes are kept, depending on the result of the work
	 * @throws InvalidDataAccessApiUsageException if the writes cannot be kept, because
	 * the work has caught an error of the database and continued
	 */
	public <T> T attempt(Supplier<T> work, Predicate<? super T> isKept) {
		return attempt((keep) -> work.get(), isKept);
	}

	/**
	 * Runs work as {@link #attempt(Supplier, Predicate)} does, and lets it keep a part of
	 * its writes in any case.
	 * @param work the work; when it runs what it is given, what it has written so far is
	 * not undone any more
	 * @param isKept whether the other writes are kept, depending on the result of the
	 * work
	 */
	public <T> T attempt(Function<Runnable, T> work, Predicate<? super T> isKept) {
		Connection connection = DataSourceUtils.getConnection(this.dataSource);
		try {
			Kept kept = new Kept(connection);
			T result;
			try {
				result = work.apply(kept::advance);
				if (isKept.test(result)) {
					keep(connection, kept.begin);
					return result;
				}
			}
			catch (Throwable ex) { // Kotlin throws checked exceptions, too
				undo(connection, kept.end, ex);
				throw ex;
			}
			connection.rollback(kept.end);
			return result;
		}
		catch (SQLException ex) {
			throw cannotContinue(ex);
		}
		finally {
			DataSourceUtils.releaseConnection(connection, this.dataSource);
		}
	}

	private static DataAccessResourceFailureException cannotContinue(SQLException ex) {
		return new DataAccessResourceFailureException("The transaction cannot continue: " + ex.getMessage(), ex);
	}

	private static void undo(Connection connection, Savepoint savepoint, Throwable reason) {
		try {
			connection.rollback(savepoint);
		}
		catch (SQLException ex) {
			reason.addSuppressed(ex);
		}
	}

	private static void keep(Connection connection, Savepoint savepoint) {
		try {
			connection.releaseSavepoint(savepoint);
		}
		catch (SQLException ex) {
			throw new InvalidDataAccessApiUsageException(
					"The handler caught an error of the database and continued, but"
							+ " PostgreSQL rejects all further statements of the surrounding transaction. Run the handler in a test"
							+ " without one (@Transactional(propagation = Propagation.NOT_SUPPORTED))",
					ex);
		}
	}

	/** What an attempt has written that is kept in any case: nothing at first. */
	private static final class Kept {

		private final Connection connection;

		private final Savepoint begin;

		private Savepoint end;

		Kept(Connection connection) throws SQLException {
			this.connection = connection;
			this.begin = connection.setSavepoint();
			this.end = this.begin;
		}

		void advance() {
			try {
				this.end = this.connection.setSavepoint();
			}
			catch (SQLException ex) {
				throw cannotContinue(ex);
			}
		}

	}

	/** Knows what Spring knows of the connection that is bound. */
	private static final class Manager extends DataSourceTransactionManager {

		Manager(DataSource dataSource) {
			super(dataSource);
		}

		boolean wouldJoin() {
			return isExistingTransaction(doGetTransaction());
		}

	}

}
