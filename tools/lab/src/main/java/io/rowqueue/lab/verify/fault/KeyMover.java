package io.rowqueue.lab.verify.fault;

import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.rowqueue.lab.verify.site.ShardedSite;
import io.rowqueue.shard.Shard;
import io.rowqueue.shard.Shards;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

/** Moves buckets between random shards, again and again, whatever else happens. */
final class KeyMover {

	private static final int BUCKETS = 256;

	private final Shards shards;

	private final SplittableRandom random;

	private final Thread thread = new Thread(this::run, "key-mover");

	private final AtomicInteger moved = new AtomicInteger();

	private final AtomicInteger interrupted = new AtomicInteger();

	private volatile @Nullable RuntimeException failure;

	private volatile boolean stopped;

	KeyMover(Shards shards, SplittableRandom random) {
		this.shards = shards;
		this.random = random;
	}

	void start() {
		this.thread.start();
	}

	/** How many buckets have been moved so far. */
	int moved() {
		return this.moved.get();
	}

	/** How many moves have ended early, because a server was not available. */
	int interrupted() {
		return this.interrupted.get();
	}

	private void run() {
		try {
			while (!this.stopped) {
				move();
			}
		}
		catch (RuntimeException ex) {
			this.failure = ex;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private void move() throws InterruptedException {
		List<String> owners = this.shards.list()
			.stream()
			.filter((shard) -> shard.buckets() > 0)
			.map(Shard::name)
			.toList();
		String from = any(owners);
		String to = any(ShardedSite.SHARDS.stream().filter((name) -> !name.equals(from)).toList());
		try {
			this.moved.addAndGet(this.shards.move(from, to, BUCKETS));
		}
		catch (DataAccessException | TransactionException ex) { // any process goes on
			this.interrupted.incrementAndGet();
		}
		TimeUnit.MILLISECONDS.sleep(this.random.nextInt(20, 200));
	}

	private String any(List<String> names) {
		return names.get(this.random.nextInt(names.size()));
	}

	/**
	 * Lets the move that is under way be the last.
	 * @throws IllegalStateException if moves have failed for another reason than a server
	 * that is not available
	 */
	void stop() throws InterruptedException {
		this.stopped = true;
		this.thread.join();
		RuntimeException ex = this.failure;
		if (ex != null) {
			throw new IllegalStateException("No more keys were moved", ex);
		}
	}

}
