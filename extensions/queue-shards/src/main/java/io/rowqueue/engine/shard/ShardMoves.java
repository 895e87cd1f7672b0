package io.rowqueue.engine.shard;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;

import io.rowqueue.JobQueueException;
import io.rowqueue.engine.shard.HandoverStore.Handover;
import io.rowqueue.engine.support.Outage;
import io.rowqueue.shard.Shard;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.util.Assert;

/**
 * Moves buckets of keys, and jobs without keys, between shards while jobs are enqueued
 * and run. Each move has three steps, and each step is one transaction:
 * <ol>
 * <li>The source gives the buckets up, with all of their jobs, and notes that.
 * <li>The target stores the jobs and becomes the owner, once.
 * <li>The source forgets what it has noted.
 * </ol>
 * Jobs of a bucket are in one of the two shards at any time, or in neither, and any
 * process can do the next step.
 */
public final class ShardMoves {

	/** One statement reads all jobs with keys, for any number of buckets. */
	private static final int BUCKETS_AT_ONCE = 64;

	private static final int JOBS_AT_ONCE = 500;

	private static final int RELEASE_ATTEMPTS = 3;

	private static final Logger logger = LoggerFactory.getLogger(ShardMoves.class);

	private final ShardGroup group;

	public ShardMoves(ShardGroup group) {
		this.group = group;
	}

	/**
	 * Completes what a process has begun that may have ended.
	 * @return whether anything was open; it may still be, if a shard is not available
	 * @throws RuntimeException if something could not be completed; all else was
	 */
	public boolean resume() {
		RuntimeException first = null;
		boolean open = false;
		for (QueueShard from : this.group.all().stream().filter(QueueShard::isAvailable).toList()) {
			try {
				open |= complete(from);
			}
			catch (RuntimeException ex) {
				first = (first != null) ? first : ex;
			}
		}
		if (first != null) {
			throw first;
		}
		return open;
	}

	/**
	 * Moves buckets.
	 * @return how many were moved: one that has a running job, or jobs of flows or
	 * batches, is left out
	 * @throws DataAccessResourceFailureException if the target is not available: what has
	 * left the source would be in neither
	 * @throws JobQueueException if the tables of the two have different versions: one of
	 * them may have columns that the other one does not know
	 */
	int moveBuckets(QueueShard from, QueueShard to, int buckets) {
		Assert.isTrue(from != to, () -> "The keys of the " + from + " cannot be moved to itself");
		checkVersions(from, to);
		List<Integer> candidates = IntStream.range(0, Shard.BUCKETS)
			.filter((bucket) -> this.group.owner(bucket) == from.number())
			.boxed()
			.toList();
		int moved = 0;
		for (int next = 0; next < candidates.size() && moved < buckets;) {
			int end = Math.min(candidates.size(), next + Math.min(BUCKETS_AT_ONCE, buckets - moved));
			checkAvailable(to);
			List<Integer> some = candidates.subList(next, end);
			moved += release(from, () -> from.handovers().releaseBuckets(some, to.number()).size());
			completeOrLeave(from);
			next = end;
		}
		return moved;
	}

	/**
	 * Gives each of these shards the same number of buckets, as far as they can be moved.
	 */
	int balance(List<QueueShard> shards) {
		int moved = 0;
		int part = Shard.BUCKETS / shards.size();
		for (QueueShard to : shards) {
			for (Optional<QueueShard> from = richest(shards, part); this.group.buckets(to) < part
					&& from.isPresent(); from = richest(shards, part)) {
				int some = moveBuckets(from.get(), to,
						Math.min(part - this.group.buckets(to), this.group.buckets(from.get()) - part));
				if (some == 0) {
					break;
				}
				moved += some;
			}
		}
		return moved;
	}

	private Optional<QueueShard> richest(List<QueueShard> shards, int part) {
		return shards.stream()
			.max(Comparator.comparing(this.group::buckets))
			.filter((shard) -> this.group.buckets(shard) > part);
	}

	/** Moves all buckets, and the jobs without keys that wait, to these shards. */
	int empty(QueueShard from, List<QueueShard> others) {
		List<QueueShard> targets = new ArrayList<>(others);
		int moved = 0;
		for (int i = 0; i < targets.size(); i++) {
			moved += moveBuckets(from, targets.get(i), this.group.buckets(from) / (targets.size() - i));
		}
		for (int turn = 0;; turn++) {
			QueueShard to = targets.get(turn % targets.size());
			checkAvailable(to);
			checkVersions(from, to);
			int released = release(from, () -> from.handovers().releaseJobs(JOBS_AT_ONCE, to.number()));
			completeOrLeave(from);
			if (released < JOBS_AT_ONCE) {
				return moved;
			}
		}
	}

	/** What others use all the time is left out. */
	private static int release(QueueShard from, IntSupplier release) {
		for (int attempt = 1;; attempt++) {
			try {
				return release.getAsInt();
			}
			catch (DataAccessException ex) {
				orThrow(ex);
				logger.debug("Could not move what is in the {} at attempt {}", from, attempt, ex);
				if (attempt == RELEASE_ATTEMPTS) {
					return 0;
				}
			}
		}
	}

	/** What another process is about to complete, or waits for a lock, is left to it. */
	private void completeOrLeave(QueueShard from) {
		try {
			complete(from);
		}
		catch (DataAccessException ex) {
			orThrow(ex);
			logger.debug("Could not complete a move out of the {} now", from, ex);
		}
	}

	private static void orThrow(DataAccessException ex) {
		if (!Outage.isConflict(ex)) {
			throw ex;
		}
	}

	private static void checkVersions(QueueShard from, QueueShard to) {
		String source = from.handovers().schemaVersions();
		String target = to.handovers().schemaVersions();
		if (!source.equals(target)) {
			throw new JobQueueException(
					("The tables of the %s have the versions %s, and those of the %s the versions %s:"
							+ " upgrade both before anything is moved between them")
						.formatted(from, source, to, target));
		}
	}

	private static void checkAvailable(QueueShard to) {
		if (!to.isAvailable()) {
			throw new DataAccessResourceFailureException(
					"The " + to + " is not available: nothing more is moved to it");
		}
	}

	/** Completes what has left a shard, and returns whether there was anything. */
	boolean complete(QueueShard from) {
		List<Handover> open = from.handovers()
			.open(this.group.all().stream().filter(QueueShard::isAvailable).map(QueueShard::number).toList());
		RuntimeException first = null;
		for (Handover handover : open) {
			try {
				this.group.byNumber(handover.target())
					.filter(QueueShard::isAvailable)
					.ifPresent((to) -> complete(from, to, handover));
			}
			catch (RuntimeException ex) {
				first = (first != null) ? first : ex;
			}
		}
		if (!open.isEmpty()) {
			from.refreshBuckets();
			this.group.refreshed();
		}
		if (first != null) {
			throw first;
		}
		return !open.isEmpty();
	}

	private static void complete(QueueShard from, QueueShard to, Handover handover) {
		to.handovers().receive(from.number(), handover, (after) -> from.handovers().rows(handover.batch(), after));
		from.handovers().forget(handover.batch());
		to.refreshBuckets();
	}

}
