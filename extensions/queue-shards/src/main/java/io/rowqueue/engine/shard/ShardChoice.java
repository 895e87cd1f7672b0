package io.rowqueue.engine.shard;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongFunction;
import java.util.function.Predicate;

import io.rowqueue.JobQueueException;
import io.rowqueue.JobRequest;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides where new jobs are stored: in the shard whose transaction the caller is in,
 * else where the jobs are that they run after, else in the shard of their key, else in
 * the home shard if a transactional handler runs them, else anywhere.
 */
final class ShardChoice {

	private static final Logger logger = LoggerFactory.getLogger(ShardChoice.class);

	private final ShardGroup group;

	/** Whether a transactional handler of this application runs a type. */
	private final Predicate<String> transactional;

	/**
	 * Whether all succeeded jobs are kept. If not, a shard takes a job that it does not
	 * have for one that has succeeded, also if it was moved.
	 */
	private final boolean everySuccessIsKept;

	private final JobLocator locator;

	private final AtomicBoolean warned = new AtomicBoolean();

	ShardChoice(ShardGroup group, Predicate<String> transactional, boolean everySuccessIsKept) {
		this.group = group;
		this.transactional = transactional;
		this.everySuccessIsKept = everySuccessIsKept;
		this.locator = new JobLocator(group);
	}

	/** Returns the shard for jobs that are stored together; empty: any. */
	Optional<QueueShard> of(Collection<JobRequest> requests) {
		try {
			return choose(requests, this::probable);
		}
		catch (JobQueueException ex) {
			if (requests.stream().allMatch((request) -> request.predecessors().ids().isEmpty())) {
				throw ex;
			}
			return located(requests);
		}
	}

	/** The same, if jobs that these run after may have been moved. */
	Optional<QueueShard> located(Collection<JobRequest> requests) {
		return choose(requests, this.locator::of);
	}

	private Optional<QueueShard> choose(Collection<JobRequest> requests, LongFunction<QueueShard> predecessors) {
		Place place = null;
		Map<Long, QueueShard> known = new HashMap<>();
		for (JobRequest request : requests) {
			place = both(place, required(request, (id) -> known.computeIfAbsent(id, predecessors::apply)));
		}
		List<QueueShard> joined = this.group.inTransaction();
		if (!joined.isEmpty()) {
			QueueShard shard = inTransaction(joined, place);
			requests.forEach((request) -> warnIfElsewhere(request, shard));
			return Optional.of(shard);
		}
		for (JobRequest request : requests) {
			place = both(place, byKey(request));
		}
		return (place != null) ? Optional.of(place.shard()) : withoutPlace(requests);
	}

	/** What a transactional handler writes is in the application's own database. */
	private Optional<QueueShard> withoutPlace(Collection<JobRequest> requests) {
		return requests.stream().map(JobRequest::type).anyMatch(this.transactional) ? Optional.of(this.group.home())
				: Optional.empty();
	}

	/** Returns the shard with an id, to add something to it. */
	QueueShard toAddTo(long id, String what) {
		Place place = new Place(this.group.named(id), what + " " + id);
		List<QueueShard> joined = this.group.inTransaction();
		return joined.isEmpty() ? place.shard() : inTransaction(joined, place);
	}

	/** Refuses a job that does not belong to the shard that others are stored in. */
	JobRequest check(JobRequest request, QueueShard shard, boolean joined) {
		Place first = new Place(shard, "the first job");
		Place place = required(request, this::probable);
		if (place != null && place.shard() != shard) {
			place = both(first, required(request, this.locator::of));
		}
		if (joined) {
			warnIfElsewhere(request, shard);
		}
		else {
			both(first, byKey(request));
		}
		return request;
	}

	/** In a transaction, a key counts in the database of the transaction only. */
	private void warnIfElsewhere(JobRequest request, QueueShard shard) {
		String key = Buckets.key(request);
		if (key == null || this.group.owner(Buckets.of(key)) == shard.number() || this.warned.getAndSet(true)) {
			return;
		}
		logger
			.warn("A job of the type '{}' with the key '{}' is enqueued in a transaction of the {}, and the key was moved to"
					+ " another shard: jobs with this key may wait and run in both, because in a transaction, a key is unique,"
					+ " limited and ordered in its database only. Enqueue such jobs outside of transactions, or do not move their"
					+ " keys. Further jobs are not reported", request.type(), key, shard);
	}

	private @Nullable Place required(JobRequest request, LongFunction<QueueShard> predecessors) {
		Place place = null;
		for (long id : request.predecessors().ids()) {
			place = both(place, new Place(predecessors.apply(id), "job " + id));
		}
		return place;
	}

	/**
	 * Most jobs are in the shard that gave their id. One is looked for if that shard
	 * cannot be asked, or would not know that it has left it.
	 */
	private QueueShard probable(long id) {
		return this.group.ofId(id)
			.filter((shard) -> this.everySuccessIsKept && shard.isAvailable())
			.orElseGet(() -> this.locator.of(id));
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
