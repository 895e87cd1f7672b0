package io.rowqueue.engine.shard;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import io.rowqueue.FailedAttempt;
import io.rowqueue.JobLogLine;
import io.rowqueue.JobType;
import io.rowqueue.admin.CancelResult;
import io.rowqueue.admin.EraseResult;
import io.rowqueue.admin.Explanation;
import io.rowqueue.admin.JobAdmin;
import io.rowqueue.admin.JobReference;
import io.rowqueue.admin.Pause;
import io.rowqueue.admin.RetryResult;
import io.rowqueue.admin.UnhandledJobs;
import io.rowqueue.admin.Verdict;
import io.rowqueue.admin.WorkerResult;
import io.rowqueue.admin.masking.TextMasker;
import io.rowqueue.step.JobWait;
import io.rowqueue.step.RecordedStep;
import org.jspecify.annotations.Nullable;

/**
 * The administration of all shards. What names a job applies to the shard that has it,
 * anything else to each shard.
 */
public final class ShardedJobAdmin implements JobAdmin {

	private final ShardGroup group;

	private final EachShard shards;

	public ShardedJobAdmin(ShardGroup group) {
		this.group = group;
		this.shards = new EachShard(group);
	}

	private JobAdmin of(long id) {
		return this.shards.of(id).admin();
	}

	private JobAdmin withKey(String uniqueKey) {
		return this.shards.ofKey(uniqueKey).admin();
	}

	private boolean any(Predicate<JobAdmin> change) {
		return this.shards.change((shard) -> change.test(shard.admin())).contains(true);
	}

	/** A worker is known in one shard; its process has others in the other shards. */
	private WorkerResult worker(Function<JobAdmin, WorkerResult> change) {
		return this.shards.changeOne((shard) -> change.apply(shard.admin()),
				(result) -> result != WorkerResult.NOT_FOUND, WorkerResult.NOT_FOUND);
	}

	@Override
	public Explanation explain(long id) {
		return of(id).explain(id);
	}

	@Override
	public Explanation explain(long id, TextMasker masker) {
		return of(id).explain(id, masker);
	}

	@Override
	public Map<Long, Explanation> explainAll(Collection<Long> ids, TextMasker masker) {
		Map<Long, Explanation> found = new HashMap<>();
		List<QueueShard> available = this.group.all().stream().filter(QueueShard::isAvailable).toList();
		ids.stream()
			.collect(Collectors.groupingBy((id) -> this.group.ofId(id).orElse(this.group.home())))
			.forEach((shard, own) -> {
				if (available.contains(shard)) {
					explain(shard, own, found, masker);
				}
			});
		available.forEach((shard) -> explain(shard, missing(ids, found), found, masker));
		missing(ids, found).stream().collect(Collectors.groupingBy(this.group::named)).forEach((shard, own) -> {
			if (!available.contains(shard)) {
				explain(shard, own, found, masker);
			}
		});
		Map<Long, Explanation> ordered = new LinkedHashMap<>();
		ids.forEach((id) -> ordered.put(id, Objects.requireNonNull(found.get(id))));
		return ordered;
	}

	private static void explain(QueueShard shard, List<Long> ids, Map<Long, Explanation> found, TextMasker masker) {
		if (!ids.isEmpty()) {
			found.putAll(shard.admin().explainAll(ids, masker));
		}
	}

	private static List<Long> missing(Collection<Long> ids, Map<Long, Explanation> found) {
		return ids.stream().filter((id) -> {
			Explanation explanation = found.get(id);
			return explanation == null || explanation.verdict() == Verdict.UNKNOWN;
		}).toList();
	}

	@Override
	public JobReference job(long id) {
		return of(id).job(id);
	}

	@Override
	public JobReference job(String uniqueKey) {
		return withKey(uniqueKey).job(uniqueKey);
	}

	@Override
	public JobReference job(JobType<?> type, String uniqueKey) {
		return withKey(uniqueKey).job(type, uniqueKey);
	}

	@Override
	public EraseResult erase(long id) {
		return of(id).erase(id);
	}

	@Override
	public boolean releaseKey(String uniqueKey) {
		return this.group.toSearch(uniqueKey).stream().anyMatch((shard) -> shard.admin().releaseKey(uniqueKey));
	}

	@Override
	public CancelResult cancel(long id) {
		return of(id).cancel(id);
	}

	@Override
	public RetryResult retry(long id) {
		return of(id).retry(id);
	}

	@Override
	public RetryResult retryFromStep(long id, String step) {
		return of(id).retryFromStep(id, step);
	}

	@Override
	public int retryAll(@Nullable String queue, @Nullable String type) {
		return this.shards.change((shard) -> shard.admin().retryAll(queue, type))
			.stream()
			.mapToInt(Integer::intValue)
			.sum();
	}

	@Override
	public boolean reschedule(long id, Duration delay) {
		return of(id).reschedule(id, delay);
	}

	@Override
	public boolean prioritize(long id, int priority) {
		return of(id).prioritize(id, priority);
	}

	@Override
	public boolean pauseQueue(String queue, @Nullable String reason) {
		return any((admin) -> admin.pauseQueue(queue, reason));
	}

	@Override
	public boolean resumeQueue(String queue) {
		return any((admin) -> admin.resumeQueue(queue));
	}

	@Override
	public boolean pauseType(String type, @Nullable String reason) {
		return any((admin) -> admin.pauseType(type, reason));
	}

	@Override
	public boolean resumeType(String type) {
		return any((admin) -> admin.resumeType(type));
	}

	@Override
	public WorkerResult quietWorker(long workerId) {
		return worker((admin) -> admin.quietWorker(workerId));
	}

	@Override
	public WorkerResult resumeWorker(long workerId) {
		return worker((admin) -> admin.resumeWorker(workerId));
	}

	@Override
	public WorkerResult changeSlots(long workerId, String queue, int slots) {
		return worker((admin) -> admin.changeSlots(workerId, queue, slots));
	}

	@Override
	public WorkerResult restartWorker(long workerId) {
		return worker((admin) -> admin.restartWorker(workerId));
	}

	@Override
	public boolean isKnownQueue(String queue) {
		return this.shards.read((shard) -> List.of(shard.admin().isKnownQueue(queue))).contains(true);
	}

	@Override
	public boolean isKnownType(String type) {
		return this.shards.read((shard) -> List.of(shard.admin().isKnownType(type))).contains(true);
	}

	/** A pause that several shards have is returned once. */
	@Override
	public List<Pause> pauses() {
		Map<List<String>, Pause> pauses = new LinkedHashMap<>();
		this.shards.read((shard) -> shard.admin().pauses())
			.forEach((pause) -> pauses.putIfAbsent(List.of(pause.kind(), pause.name()), pause));
		return List.copyOf(pauses.values());
	}

	/** A queue and type of several shards is returned once. */
	@Override
	public List<UnhandledJobs> unhandled() {
		Map<List<String>, UnhandledJobs> unhandled = new LinkedHashMap<>();
		this.shards.read((shard) -> shard.admin().unhandled())
			.forEach((jobs) -> unhandled.merge(List.of(jobs.queue(), jobs.type()), jobs,
					(one, other) -> new UnhandledJobs(one.queue(), one.type(), one.jobs() + other.jobs(),
							one.since().isBefore(other.since()) ? one.since() : other.since())));
		return List.copyOf(unhandled.values());
	}

	@Override
	public List<RecordedStep> steps(long id) {
		return of(id).steps(id);
	}

	@Override
	public List<JobWait> waits(long id) {
		return of(id).waits(id);
	}

	@Override
	public List<JobLogLine> log(long id) {
		return of(id).log(id);
	}

	@Override
	public List<FailedAttempt> failures(long id) {
		return of(id).failures(id);
	}

}
