package io.rowqueue.engine.figures;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.rowqueue.EnqueueResult;
import io.rowqueue.JobContext;
import io.rowqueue.JobRequest;
import io.rowqueue.listen.AttemptEnd;
import io.rowqueue.listen.JobListener;
import io.rowqueue.observation.BoundedNames;

/**
 * Counts what this process does, in memory: two increments a job. Names beyond the
 * maximum are counted together.
 */
public final class JobTallies implements JobListener {

	private final BoundedNames queues;

	private final BoundedNames types;

	private final String version;

	/** By queue and type. */
	private final Map<String, Map<String, JobCounters>> counters = new ConcurrentHashMap<>();

	/**
	 * Creates the counters.
	 * @param queues the queues that are counted on their own
	 * @param types the types that are counted on their own
	 * @param version the version of the application; empty if it is not known
	 */
	public JobTallies(BoundedNames queues, BoundedNames types, String version) {
		this.queues = queues;
		this.types = types;
		this.version = version;
	}

	/** Returns the version of the application. */
	public String version() {
		return this.version;
	}

	@Override
	public void enqueued(JobRequest request, EnqueueResult result) {
		if (result.outcome() == EnqueueResult.Outcome.CREATED) {
			find(request.queue(), request.type()).enqueued();
		}
	}

	@Override
	public void started(JobContext job, Duration waited) {
		find(job.queue(), job.type()).started(waited.toMillis());
	}

	@Override
	public void ended(JobContext job, AttemptEnd end) {
		find(job.queue(), job.type()).ended(end.outcome(), end.runTime().toMillis());
	}

	private JobCounters find(String queue, String type) {
		Map<String, JobCounters> ofQueue = this.counters.get(queue);
		JobCounters found = (ofQueue != null) ? ofQueue.get(type) : null;
		return (found != null) ? found : create(queue, type);
	}

	/** A name without a place of its own is looked up each time. */
	private JobCounters create(String queue, String type) {
		return this.counters.computeIfAbsent(this.queues.of(queue), (name) -> new ConcurrentHashMap<>())
			.computeIfAbsent(this.types.of(type), (name) -> new JobCounters());
	}

	/** Returns what was counted since the last call: of all, by queue and by type. */
	Map<TallyKey, Counts> take() {
		Map<TallyKey, Counts> sums = new HashMap<>();
		this.counters.forEach((queue, types) -> types.forEach((type, counters) -> {
			Counts counts = counters.take();
			if (!counts.isEmpty()) {
				sums.merge(new TallyKey(TallyKey.ALL, "", this.version), counts, Counts::plus);
				sums.merge(new TallyKey(TallyKey.QUEUE, queue, this.version), counts, Counts::plus);
				sums.merge(new TallyKey(TallyKey.TYPE, type, this.version), counts, Counts::plus);
			}
		}));
		return sums;
	}

}
