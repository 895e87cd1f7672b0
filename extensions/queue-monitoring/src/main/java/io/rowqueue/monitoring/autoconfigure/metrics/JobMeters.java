package io.rowqueue.monitoring.autoconfigure.metrics;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.rowqueue.EnqueueResult;
import io.rowqueue.JobContext;
import io.rowqueue.JobRequest;
import io.rowqueue.engine.listen.StoreListener;
import io.rowqueue.listen.AttemptEnd;
import io.rowqueue.listen.JobListener;
import io.rowqueue.observation.BoundedNames;

/** Counters and timers of this process. */
class JobMeters implements JobListener, StoreListener {

	private final MeterRegistry registry;

	private final BoundedNames queues;

	private final BoundedNames types;

	private final BoundedNames schedules;

	private final Map<Key, Counter> counters = new ConcurrentHashMap<>();

	private final Map<Key, Timer> timers = new ConcurrentHashMap<>();

	private final Counter notified;

	private final Timer claims;

	private final DistributionSummary claimSizes;

	private final Timer finishes;

	private final DistributionSummary finishSizes;

	JobMeters(MeterRegistry registry, BoundedNames queues, BoundedNames types, BoundedNames schedules) {
		this.schedules = schedules;
		this.registry = registry;
		this.queues = queues;
		this.types = types;
		this.notified = counter(QueueMeter.NOTIFIED, Tags.empty());
		this.claims = timer(QueueMeter.CLAIM, Tags.empty());
		this.claimSizes = summary(QueueMeter.CLAIM_SIZE);
		this.finishes = timer(QueueMeter.FINISH, Tags.empty());
		this.finishSizes = summary(QueueMeter.FINISH_SIZE);
	}

	@Override
	public void enqueued(JobRequest request, EnqueueResult result) {
		count(QueueMeter.ENQUEUED, request.queue(), request.type(), result.outcome().name().toLowerCase(Locale.ROOT));
	}

	@Override
	public void started(JobContext job, Duration waited) {
		time(QueueMeter.WAIT, job, "", waited);
	}

	@Override
	public void ended(JobContext job, AttemptEnd end) {
		time(QueueMeter.RUN, job, end.outcome().label(), end.runTime());
		if (end.outcome().isFinal()) {
			time(QueueMeter.LIFE, job, end.outcome().label(), end.lifeTime());
		}
		if (end.outcome() == AttemptEnd.Outcome.RETRIED) {
			count(QueueMeter.RETRIED, job.queue(), job.type(), "");
		}
	}

	@Override
	public void refused(JobContext job) {
		count(QueueMeter.REFUSED, job.queue(), job.type(), "");
	}

	@Override
	public void claimed(int jobs, Duration took) {
		this.claims.record(took);
		this.claimSizes.record(jobs);
	}

	@Override
	public void claimed(String queue, String type) {
		this.types.add(type); // it has a handler in this process
		count(QueueMeter.CLAIMED, queue, type, "");
	}

	@Override
	public void released(String queue, String type) {
		count(QueueMeter.RELEASED, queue, type, "");
	}

	@Override
	public void finished(int attempts, Duration took) {
		this.finishes.record(took);
		this.finishSizes.record(attempts);
	}

	@Override
	public void recovered(String queue, String type) {
		count(QueueMeter.RECOVERED, queue, type, "");
	}

	@Override
	public void expired(String queue, String type) {
		count(QueueMeter.EXPIRED, queue, type, "");
	}

	@Override
	public void due(String schedule, String outcome) {
		counter(QueueMeter.SCHEDULE_DUE, Tags.of("schedule", this.schedules.of(schedule), "outcome", outcome))
			.increment();
	}

	@Override
	public void step(String queue, String type, boolean replayed) {
		count(QueueMeter.STEPS, queue, type, replayed ? "replayed" : "recorded");
	}

	@Override
	public void logLinesDropped(String queue, String type, int lines) {
		find(this.counters, QueueMeter.LOG_DROPPED, queue, type, "", this::counter).increment(lines);
	}

	@Override
	public void parked(String queue, String type, String reason) {
		count(QueueMeter.PARKED, queue, type, reason);
	}

	@Override
	public void notified() {
		this.notified.increment();
	}

	private void count(QueueMeter meter, String queue, String type, String outcome) {
		find(this.counters, meter, queue, type, outcome, this::counter).increment();
	}

	private void time(QueueMeter meter, JobContext job, String outcome, Duration time) {
		find(this.timers, meter, job.queue(), job.type(), outcome, this::timer).record(time);
	}

	private <M> M find(Map<Key, M> meters, QueueMeter meter, String queue, String type, String outcome,
			BiFunction<QueueMeter, Tags, M> create) {
		Key key = new Key(meter, this.queues.of(queue), this.types.of(type), outcome);
		M found = meters.get(key);
		return (found != null) ? found : meters.computeIfAbsent(key, (missing) -> create.apply(meter, missing.tags()));
	}

	private Counter counter(QueueMeter meter, Tags tags) {
		return Counter.builder(meter.meterName())
			.description(meter.description())
			.baseUnit(meter.unit())
			.tags(tags)
			.register(this.registry);
	}

	private Timer timer(QueueMeter meter, Tags tags) {
		return Timer.builder(meter.meterName()).description(meter.description()).tags(tags).register(this.registry);
	}

	private DistributionSummary summary(QueueMeter meter) {
		return DistributionSummary.builder(meter.meterName())
			.description(meter.description())
			.baseUnit(meter.unit())
			.register(this.registry);
	}

	private record Key(QueueMeter meter, String queue, String type, String outcome) {

		Tags tags() {
			Tags tags = Tags.of("queue", this.queue, "type", this.type);
			return this.outcome.isEmpty() ? tags : tags.and(this.meter.tags().get(2), this.outcome);
		}

	}

}
