package io.rowqueue.engine.shard;

import java.util.Collection;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Supplier;

import javax.sql.DataSource;

import io.rowqueue.engine.database.OwnTransaction;
import io.rowqueue.engine.database.QueueDatabase;
import org.springframework.transaction.TransactionDefinition;

/**
 * Enqueues jobs with keys while their buckets cannot be moved: in one transaction that
 * holds the buckets, with a lock that enqueues share.
 */
public final class BucketStore {

	private static final String HOLD = "select {schema}.hold_bucket(?::smallint)";

	private final QueueDatabase database;

	private final OwnTransaction transaction;

	/**
	 * Creates the store.
	 * @param database the database as the application sees it
	 * @param dataSource the data source that jobs are enqueued with
	 */
	public BucketStore(QueueDatabase database, DataSource dataSource) {
		this.database = database;
		this.transaction = new OwnTransaction(dataSource, TransactionDefinition.ISOLATION_READ_COMMITTED);
	}

	/**
	 * Enqueues in a new transaction if the shard owns all of the buckets.
	 * @param enqueue enqueues jobs
	 * @return what it returns; empty if the shard does not own one of them
	 */
	<T> Optional<T> enqueue(Collection<Integer> buckets, Supplier<T> enqueue) {
		return this.transaction.run(() -> new TreeSet<>(buckets).stream().allMatch(this::hold)
				? Optional.of(enqueue.get()) : Optional.empty());
	}

	/** Holds another bucket until the end of the transaction, if the shard owns it. */
	boolean hold(int bucket) {
		return this.database.query(HOLD, (row, index) -> row.getBoolean(1), bucket).get(0);
	}

}
