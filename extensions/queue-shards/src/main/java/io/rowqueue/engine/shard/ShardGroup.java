package io.rowqueue.engine.shard;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;

import io.rowqueue.JobQueueException;
import io.rowqueue.engine.shard.ShardStore.Bucket;
import io.rowqueue.shard.Shard;
import org.springframework.dao.DataAccessResourceFailureException;

/**
 * The shards that this process knows, and where keys and ids belong. A snapshot replaces
 * the other when a shard comes, goes, or has read its buckets.
 */
public final class ShardGroup {

	/** The home shard is the first one to get a number, and may not be available yet. */
	private static final int HOME = 1;

	private final QueueShard home;

	private final AtomicInteger turn = new AtomicInteger();

	private volatile List<QueueShard> shards;

	/** The numbers of the shards that own the buckets. */
	private volatile int[] owners = new int[0];

	private volatile Runnable overdueMove = () -> {
	};

	/**
	 * Creates the group.
	 * @param home the home shard, which is always a member
	 */
	public ShardGroup(QueueShard home) {
		this.home = home;
		this.shards = List.of(home);
		refreshed();
	}

	public QueueShard home() {
		return this.home;
	}

	/**
	 * Adds a shard that has joined the queue.
	 * @throws JobQueueException if another one has its number
	 */
	public synchronized void add(QueueShard shard) {
		byNumber(shard.number()).ifPresent((other) -> {
			throw new JobQueueException(
					"The %s and the %s have the same number %s".formatted(other, shard, shard.number()));
		});
		this.shards = Stream.concat(this.shards.stream(), Stream.of(shard))
			.sorted(Comparator.comparingInt(QueueShard::number))
			.toList();
		refreshed();
	}

	/** Removes a shard, which this process uses no more. */
	public synchronized void remove(String name) {
		this.shards = this.shards.stream().filter((each) -> !each.name().equals(name)).toList();
		refreshed();
	}

	/**
	 * A shard has read its buckets. The one that owns a bucket takes precedence over one
	 * that has it no more: that one may not know that it was moved again.
	 */
	public synchronized void refreshed() {
		int[] known = new int[Shard.BUCKETS];
		Arrays.fill(known, HOME);
		// twice: it may have been moved on
		Stream.concat(this.shards.stream(), this.shards.stream()).forEach((shard) -> follow(shard, known));
		this.shards.forEach((shard) -> shard.buckets()
			.stream()
			.filter((bucket) -> bucket.target() == null)
			.forEach((bucket) -> known[bucket.number()] = shard.number()));
		this.owners = known;
	}

	private static void follow(QueueShard from, int[] owners) {
		for (Bucket bucket : from.buckets()) {
			if (bucket.target() != null && owners[bucket.number()] == from.number()) {
				owners[bucket.number()] = bucket.target();
			}
		}
	}

	/**
	 * Sets what is called when something waits for a move that takes long; it is to
	 * return at once.
	 */
	public void onOverdueMove(Runnable overdueMove) {
		this.overdueMove = overdueMove;
	}

	/** Something waits for a move whose process may have ended. */
	void moveIsOverdue() {
		this.overdueMove.run();
	}

	/** Returns the shards, by number. */
	List<QueueShard> all() {
		return this.shards;
	}

	/** Returns the number of the shard that owns a bucket. */
	int owner(int bucket) {
		return this.owners[bucket];
	}

	/** Reads the buckets of all shards again: a key has been moved. */
	void refreshBuckets() {
		this.shards.stream().filter(QueueShard::isAvailable).forEach(QueueShard::refreshBuckets);
		refreshed();
	}

	/** Returns the number of buckets that a shard owns. */
	int buckets(QueueShard shard) {
		return (int) Arrays.stream(this.owners).filter((owner) -> owner == shard.number()).count();
	}

	Optional<QueueShard> byNumber(int number) {
		return this.shards.stream().filter((shard) -> shard.number() == number).findFirst();
	}

	/**
	 * Returns the shard with that name.
	 * @throws DataAccessResourceFailureException if it has not been available yet
	 */
	QueueShard byName(String name) {
		return this.shards.stream()
			.filter((shard) -> shard.name().equals(name))
			.findFirst()
			.orElseThrow(() -> unavailable("'" + name + "'"));
	}

	/**
	 * Returns the shard that owns a key.
	 * @throws DataAccessResourceFailureException if it has not been available yet
	 */
	QueueShard ofKey(String key) {
		int number = this.owners[Buckets.of(key)];
		return (number == HOME) ? this.home : byNumber(number).orElseThrow(() -> unavailable("number " + number));
	}

	/**
	 * Returns the shard with the job of a key: the one whose transaction the caller is
	 * in, else the one that owns the key.
	 */
	QueueShard withKey(String key) {
		List<QueueShard> joined = inTransaction();
		return (joined.size() == 1) ? joined.get(0) : ofKey(key);
	}

	/**
	 * Returns the shard that gave an id. Smaller ones are from before the queue had
	 * shards.
	 */
	Optional<QueueShard> ofId(long id) {
		Optional<QueueShard> named = byNumber((int) (id % Shard.MAX_SHARDS));
		if (!this.home.isKnown()) {
			return named.filter((shard) -> id >= shard.firstId()).or(() -> Optional.of(this.home));
		}
		return (id < this.home.firstId()) ? Optional.of(this.home) : named;
	}

	/**
	 * Returns the shard that gave an id; the home shard if none can have given it.
	 * @throws DataAccessResourceFailureException if that shard has not been available yet
	 */
	QueueShard named(long id) {
		return ofId(id).orElseGet(() -> {
			int number = (int) (id % Shard.MAX_SHARDS);
			if (number != this.home.number() && this.home.knows(number)) {
				throw unavailable("number " + number + ", which has the id " + id);
			}
			return this.home;
		});
	}

	/**
	 * Returns the shards in the order in which a job is looked for that may have been
	 * moved: the one that gave its id first. If that one is not available, it is the last
	 * one, because the job may be in another.
	 */
	List<QueueShard> toSearch(long id) {
		QueueShard named = ofId(id).orElse(this.home);
		Stream<QueueShard> others = this.shards.stream().filter((shard) -> shard != named && shard.isAvailable());
		return (named.isAvailable() ? Stream.concat(Stream.of(named), others) : Stream.concat(others, Stream.of(named)))
			.toList();
	}

	/** Returns the shards in the order in which the job of a unique key is looked for. */
	List<QueueShard> toSearch(String uniqueKey) {
		QueueShard owner = withKey(uniqueKey);
		return Stream
			.concat(Stream.of(owner), this.shards.stream().filter((shard) -> shard != owner && shard.isAvailable()))
			.toList();
	}

	/**
	 * Looks for a job.
	 * @throws DataAccessResourceFailureException if no shard has it, and the one that
	 * gave its id has not been available yet
	 */
	<T> Optional<T> search(long id, Function<QueueShard, Optional<T>> look) {
		return toSearch(id).stream().flatMap((shard) -> look.apply(shard).stream()).findFirst().or(() -> {
			named(id);
			return Optional.empty();
		});
	}

	/** Returns the shards in turn, those that are available first. */
	List<QueueShard> inTurn() {
		List<QueueShard> rotated = new ArrayList<>(this.shards);
		Collections.rotate(rotated, this.turn.getAndIncrement());
		rotated.sort(Comparator.comparing((shard) -> !shard.isAvailable()));
		return rotated;
	}

	/** Returns the shards whose transactions the calling thread is in. */
	List<QueueShard> inTransaction() {
		return this.shards.stream().filter(QueueShard::isInTransaction).toList();
	}

	static DataAccessResourceFailureException unavailable(String shard) {
		return new DataAccessResourceFailureException(
				"This process does not know the shard %s: it has not been available yet, or does not exist"
					.formatted(shard));
	}

}
