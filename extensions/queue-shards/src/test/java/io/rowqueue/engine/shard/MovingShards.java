package io.rowqueue.engine.shard;

import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import io.rowqueue.JobQueue;
import io.rowqueue.JobRequest;
import io.rowqueue.engine.lease.DirectStart;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.UnsafeCommits.Fault;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DataAccessException;

/** Three shards whose keys are moved at random, by movers that may die. */
public final class MovingShards implements AutoCloseable {

	private final TestShards shards;

	private final ShardMoves moves;

	/** Creates the shards, whose applications lose connections at a commit. */
	public MovingShards(Supplier<Fault> commits) {
		this.shards = new TestShards(commits);
		this.moves = new ShardMoves(this.shards.group());
	}

	public JobQueue queue() {
		return this.shards.queue();
	}

	public List<Engine> engines() {
		return this.shards.engines();
	}

	public DataSource dataSource(int shard) {
		return this.shards.shard(shard).dataSource();
	}

	/** Where workers of a shard offer their idle slots. */
	public DirectStart directStart(int shard) {
		return this.shards.directStart(shard);
	}

	/** Returns the buckets of keys. */
	public static List<Integer> buckets(Collection<String> keys) {
		return keys.stream().map(Buckets::of).distinct().toList();
	}

	/** Returns the bucket of a job. */
	public static int bucket(JobRequest request) {
		return Buckets.of(List.of(request)).get(0);
	}

	/**
	 * Moves some of the buckets that a random shard has to another one. The mover dies
	 * after a step, or completes the move.
	 * @return how many buckets have left the shard
	 */
	public int move(Random random, List<Integer> buckets) {
		int from = random.nextInt(3);
		return move(random, buckets, from, (from + 1 + random.nextInt(2)) % 3);
	}

	/**
	 * Moves those of the buckets that a shard has to another one.
	 * @param released called when they have left their shard
	 * @return how many buckets have left it
	 */
	public int move(int from, int to, List<Integer> buckets, Runnable released) {
		QueueShard source = this.shards.shard(from);
		int moved = 0;
		try {
			moved = release(source, this.shards.shard(to), buckets);
			released.run();
			this.moves.complete(source);
		}
		catch (DataAccessException ex) {
			// as below
		}
		return moved;
	}

	/** Returns the index of the shard that has a bucket. */
	public int owner(int bucket) {
		this.shards.group().refreshBuckets();
		int owner = this.shards.group().owner(bucket);
		return IntStream.range(0, 3).filter((each) -> this.shards.shard(each).number() == owner).findFirst().orElse(0);
	}

	private int release(QueueShard source, QueueShard target, List<Integer> buckets) {
		this.shards.group().refreshBuckets();
		List<Integer> owned = buckets.stream()
			.filter((bucket) -> this.shards.group().owner(bucket) == source.number())
			.toList();
		return owned.isEmpty() ? 0 : source.handovers().releaseBuckets(owned, target.number()).size();
	}

	private int move(Random random, List<Integer> buckets, int from, int to) {
		QueueShard source = this.shards.shard(from);
		int moved = 0;
		try {
			List<Integer> some = buckets.stream().filter((bucket) -> random.nextInt(4) > 0).toList();
			moved = release(source, this.shards.shard(to), some);
			switch (random.nextInt(8)) {
				case 0 -> {
					return moved;
				}
				case 1 -> source.handovers()
					.open(List.of())
					.forEach((handover) -> this.shards.group()
						.byNumber(handover.target())
						.ifPresent((receiver) -> receiver.handovers()
							.receive(source.number(), handover,
									(after) -> source.handovers().rows(handover.batch(), after))));
				default -> this.moves.complete(source);
			}
		}
		catch (ConcurrencyFailureException ex) {
			// jobs of a bucket were claimed meanwhile: another time
		}
		catch (DataAccessException ex) {
			// a transaction has held a key for long, or the bucket is still leaving:
			// another time
		}
		return moved;
	}

	/** Completes what movers have left behind, as far as possible. */
	public boolean resume() {
		try {
			return this.moves.resume();
		}
		catch (DataAccessException ex) {
			return true;
		}
	}

	@Override
	public void close() throws Exception {
		this.shards.close();
	}

}
