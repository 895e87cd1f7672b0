package io.rowqueue.engine.shard;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

import javax.sql.DataSource;

import io.rowqueue.JobQueue;
import io.rowqueue.JobQueueException;
import io.rowqueue.engine.database.JoinedTransaction;
import io.rowqueue.engine.shard.ShardStore.Bucket;
import io.rowqueue.engine.shard.ShardStore.ShardIdentity;
import io.rowqueue.shard.ShardAdmin;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessResourceFailureException;

/** A shard, and the queue that it is. */
public final class QueueShard {

	/** How long a shard is avoided that could not be connected to. */
	private static final Duration AVOIDED = Duration.ofSeconds(5);

	private final String name;

	private final ShardQueue parts;

	private final JobQueue queue;

	private final JoinedTransaction transaction;

	/** {@code null}: it has not joined the queue yet. */
	private volatile @Nullable ShardIdentity identity;

	private volatile List<Bucket> buckets = List.of();

	/** The names of all shards by their numbers, in the home shard. */
	private volatile Map<Integer, String> registered = Map.of();

	private volatile long avoidedUntil = System.nanoTime();

	/**
	 * Creates the shard, which has not joined the queue.
	 * @param name the name of the shard
	 * @param parts the queue that it is
	 */
	public QueueShard(String name, ShardQueue parts) {
		this.name = name;
		this.parts = parts;
		this.queue = new OwnDatabaseQueue(parts.queue(), parts.dataSource());
		this.transaction = new JoinedTransaction(parts.dataSource());
	}

	/**
	 * Joins the queue, unless it has, and reads which buckets the shard has.
	 * @param home the home shard, which gives numbers to new shards
	 * @throws DataAccessResourceFailureException if the shard is new, and the home shard
	 * has not been available to this process yet
	 */
	public void refresh(QueueShard home) {
		ShardStore store = this.parts.store();
		if (this.identity == null) {
			ShardIdentity known = store.identity().orElse(null);
			if (known == null) {
				if (home != this && !home.isKnown()) {
					// it must be the first to get a number
					throw new DataAccessResourceFailureException(("The shard '%s' is new, and the home shard, which"
							+ " gives it a number, has not been available yet")
						.formatted(this.name));
				}
				store.join(home.parts.store().register(this.name), this.name);
				known = store.identity().orElseThrow();
			}
			if (!known.name().equals(this.name)) {
				throw new JobQueueException(("The database of the shard '%s' is the shard '%s': the settings of two"
						+ " shards were exchanged, a shard was renamed, or a database was restored from a copy of another"
						+ " one")
					.formatted(this.name, known.name()));
			}
			this.identity = known;
		}
		if (home == this) {
			this.registered = store.registered();
		}
		else if (home.isKnown()) {
			checkRegistered(home);
		}
		refreshBuckets();
	}

	/**
	 * A home shard that was restored from a backup may not know the shard, and would give
	 * its number to a new one.
	 */
	private void checkRegistered(QueueShard home) {
		if (!home.knows(number())) {
			home.parts.store().registerAgain(number(), this.name);
			home.registered = home.parts.store().registered();
		}
		String registered = home.registered.get(number());
		if (!this.name.equals(registered)) {
			throw new JobQueueException(("The shard '%s' has the number %s, which the home shard has given to the shard"
					+ " '%s': it was restored from a backup that did not know the first one")
				.formatted(this.name, number(), registered));
		}
	}

	/** Reads which buckets the shard has. */
	void refreshBuckets() {
		this.buckets = this.parts.store().buckets();
	}

	public String name() {
		return this.name;
	}

	/** Whether it has joined the queue. */
	boolean isKnown() {
		return this.identity != null;
	}

	/** Returns the number, or 0 if the shard has not joined the queue. */
	int number() {
		ShardIdentity known = this.identity;
		return (known != null) ? known.number() : 0;
	}

	/** Returns the first id that contains the number of the shard. */
	long firstId() {
		ShardIdentity known = this.identity;
		return (known != null) ? known.firstId() : Long.MAX_VALUE;
	}

	/**
	 * Whether there is a shard with that number, available or not. To ask of the home
	 * shard.
	 */
	boolean knows(int number) {
		return this.registered.containsKey(number);
	}

	List<Bucket> buckets() {
		return this.buckets;
	}

	DataSource dataSource() {
		return this.parts.dataSource();
	}

	JobQueue queue() {
		return this.queue;
	}

	BucketStore keys() {
		return this.parts.keys();
	}

	HandoverStore handovers() {
		return this.parts.handovers();
	}

	ShardAdmin admin() {
		return this.parts.admin();
	}

	/** Whether the calling thread is in a transaction of its database. */
	boolean isInTransaction() {
		return this.transaction.isActive();
	}

	/** Whether its database is available, as far as this process knows. */
	boolean isAvailable() {
		return isKnown() && System.nanoTime() - this.avoidedUntil >= 0 && this.parts.available().getAsBoolean();
	}

	/** Its database could not be connected to. */
	void avoid() {
		this.avoidedUntil = System.nanoTime() + AVOIDED.toNanos();
	}

	@Override
	public String toString() {
		return "shard '" + this.name + "'";
	}

	/**
	 * The queue that a shard is.
	 *
	 * @param dataSource the data source that jobs are enqueued with
	 * @param queue stores jobs
	 * @param admin its administration
	 * @param store knows the other shards
	 * @param keys enqueues jobs with keys
	 * @param handovers passes jobs on to other shards
	 * @param available whether the database is available, from memory
	 */
	public record ShardQueue(DataSource dataSource, JobQueue queue, ShardAdmin admin, ShardStore store,
			BucketStore keys, HandoverStore handovers, BooleanSupplier available) {
	}

}
