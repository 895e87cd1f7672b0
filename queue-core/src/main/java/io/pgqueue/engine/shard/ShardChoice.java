package io.pgqueue.engine.shard;

import java.util.Collection;
import java.util.List;
import java.util.Optional;

import io.pgqueue.JobRequest;
import io.pgqueue.JobQueueException;
import org.jspecify.annotations.Nullable;

/**
 * Decides where new jobs are stored: in the shard whose transaction the caller is in,
 * else where the jobs are that they run after, else in the shard of their key, else
 * anywhere.
 */
final class ShardChoice {

	private final ShardGroup group;

	ShardChoice(ShardGroup group) {
		this.group = group;
	}

	/** Returns the shard for jobs that are stored together; empty: any. */
	Optional<QueueShard> of(Collection<JobRequest> requests) {
		Place place = null;
		for (JobRequest request : requests) {
			place = both(place, required(request));
		}
		List<QueueShard> joined = this.group.inTransaction();
		if (!joined.isEmpty()) {
			return Optional.of(inTransaction(joined, place));
		}
		Place keyed = place;
		for (JobRequest request : requests) {
			keyed = both(keyed, byKey(request));
		}
		return Optional.ofNullable(keyed).map(Place::shard);
	}

	/** Returns the shard with an id, to add something to it. */
	QueueShard toAddTo(long id, String what) {
		return in(new Place(this.group.ofIdFirst(id).get(0), what + " " + id));
	}

	/** Returns the home shard, to store something that is in no other one. */
	QueueShard home(String what) {
		return in(new Place(this.group.home(), what));
	}

	private QueueShard in(Place place) {
		List<QueueShard> joined = this.group.inTransaction();
		return joined.isEmpty() ? place.shard() : inTransaction(joined, place);
	}

	/** Refuses a job that does not belong to the shard that others are stored in. */
	JobRequest check(JobRequest request, QueueShard shard, boolean joined) {
		Place place = both(new Place(shard, "the first job"), required(request));
		if (!joined) {
			both(place, byKey(request));
		}
		return request;
	}

	private @Nullable Place required(JobRequest request) {
		Place place = null;
		for (long id : request.predecessors().ids()) {
			place = both(place, new Place(this.group.ofIdFirst(id).get(0), "job " + id));
		}
		return place;
	}

	private @Nullable Place byKey(JobRequest request) {
		String key = Buckets.key(request);
		return (key != null) ? new Place(this.group.ofKey(key), "the key '" + key + "'") : null;
	}

	private static @Nullable Place both(@Nullable Place one, @Nullable Place other) {
		if (one == null || other == null) {
			return (one != null) ? one : other;
		}
		if (one.shard() != other.shard()) {
			throw new JobQueueException(
					("Jobs that are stored together cannot be in two shards: %s belongs to the %s, %s to the %s."
							+ " Enqueue them separately, or in a transaction of one shard")
						.formatted(one.reason(), one.shard(), other.reason(), other.shard()));
		}
		return one;
	}

	private static QueueShard inTransaction(List<QueueShard> joined, @Nullable Place place) {
		if (place != null && !joined.contains(place.shard())) {
			throw new JobQueueException("The current transaction is one of the %s, but %s belongs to the %s"
				.formatted(joined.get(0), place.reason(), place.shard()));
		}
		if (place == null && joined.size() > 1) {
			throw new JobQueueException(("The current thread is in transactions of the %s and the %s. Use"
					+ " Shards.queue to enqueue the job in one of them")
				.formatted(joined.get(0), joined.get(1)));
		}
		return (place != null) ? place.shard() : joined.get(0);
	}

	/**
	 * Where jobs have to be.
	 *
	 * @param shard the shard
	 * @param reason what belongs to it
	 */
	private record Place(QueueShard shard, String reason) {
	}

}
