package io.pgqueue.autoconfigure.metrics;

import java.util.List;

import io.micrometer.core.instrument.Meter;
import org.jspecify.annotations.Nullable;

/** Every meter of the queue. The table in the document is checked against it. */
enum QueueMeter {

	JOBS("pgqueue.jobs", Meter.Type.GAUGE, "jobs",
			"Jobs that are not over, or failed. `blocked` ones wait for other jobs, a batch, or the limit of their key, `overdue` are queued ones past their deadline, `stuck` ones are held by a dead worker. Estimated beyond 10,000.",
			"queue", "state"),

	OLDEST_AGE("pgqueue.oldest.age", Meter.Type.GAUGE, "seconds",
			"How long the first job of the queue has been due; 0 if none waits.", "queue"),

	TYPE_JOBS("pgqueue.type.jobs", Meter.Type.GAUGE, "jobs",
			"Jobs of a type that wait, run or have failed, by the states of `pgqueue.jobs`; no series if there are none. Estimated beyond 10,000 of a queue that wait, and beyond 1,000 that failed.",
			"queue", "type", "state"),

	TYPE_OLDEST_AGE("pgqueue.type.oldest.age", Meter.Type.GAUGE, "seconds",
			"How long the first job of the type has been due; no series if none waits.", "queue", "type"),

	UNHANDLED("pgqueue.unhandled.age", Meter.Type.GAUGE, "seconds",
			"How long the first job has been due of a type that no living worker runs; no series if there is none, and at most 20.",
			"queue", "type"),

	WORKERS("pgqueue.workers", Meter.Type.GAUGE, "workers", "Workers that were heard of lately, in all processes."),

	DEAD_ROWS("pgqueue.table.dead.rows", Meter.Type.GAUGE, "rows",
			"Dead rows of the table of jobs that are not yet removed."),

	TABLE_SIZE("pgqueue.table.size", Meter.Type.GAUGE, "bytes", "What the table of jobs and its indexes take."),

	HORIZON_AGE("pgqueue.horizon.age", Meter.Type.GAUGE, "transactions",
			"How many transactions ago the oldest transaction began that keeps dead rows from being removed."),

	LIMIT_HELD("pgqueue.limit.held", Meter.Type.GAUGE, "jobs",
			"Jobs that a limit of a queue or type counts now, in all processes.", "kind", "name"),

	LIMIT("pgqueue.limit.concurrency", Meter.Type.GAUGE, "jobs",
			"How many jobs of a queue or type run at once at most, in all processes.", "kind", "name"),

	LIMIT_TOKENS("pgqueue.limit.tokens", Meter.Type.GAUGE, "jobs",
			"How many jobs of a queue or type may begin now by its rate, in all processes.", "kind", "name"),

	LIMIT_WAITING("pgqueue.limit.waiting", Meter.Type.GAUGE, "jobs",
			"Jobs that wait because of the limit of their key; 10,000 stand for as many or more."),

	SCHEDULES("pgqueue.schedules", Meter.Type.GAUGE, "schedules",
			"Recurring jobs: `active`, `paused`, `disabled` since no worker declares them, or `ended`.", "state"),

	SCHEDULE_LATE("pgqueue.schedule.late", Meter.Type.GAUGE, "seconds",
			"For how long the recurring job has been due that nobody has enqueued for longest; 0 if there is none."),

	WINDOW_OPEN("pgqueue.window.open", Meter.Type.GAUGE, "windows", "Whether the window is open: 1, or 0.", "window"),

	FLOWS("pgqueue.flows", Meter.Type.GAUGE, "flows",
			"Flows that are `running`, or `failed` and wait for somebody to retry or cancel them; 1,000 stand for as many or more.",
			"state"),

	BATCHES("pgqueue.batches", Meter.Type.GAUGE, "batches",
			"Batches that are not over: `open` to more jobs, or `running`; 10,000 stand for as many or more.", "state"),

	BATCH_OLDEST("pgqueue.batch.oldest.age", Meter.Type.GAUGE, "seconds",
			"How long ago the oldest batch was created that is closed and not over; 0 if there is none."),

	MEASUREMENT_AGE("pgqueue.measurement.age", Meter.Type.GAUGE, "seconds",
			"How old the figures above are; they grow old when the database is away."),

	SLOTS("pgqueue.worker.slots", Meter.Type.GAUGE, "slots", "Slots of this process, `used` or `free`.", "pool",
			"state"),

	PREFETCHED("pgqueue.worker.prefetched", Meter.Type.GAUGE, "jobs", "Jobs of this process that wait for a slot.",
			"pool"),

	HEARTBEAT_AGE("pgqueue.worker.heartbeat.age", Meter.Type.GAUGE, "seconds",
			"How long ago the database took a heartbeat of this process; none without a worker."),

	ENQUEUED("pgqueue.enqueued", Meter.Type.COUNTER, "jobs",
			"Jobs that were enqueued here, by what became of it: created, or what a taken unique key led to. Counted before the commit.",
			"queue", "type", "outcome"),

	CLAIMED("pgqueue.claimed", Meter.Type.COUNTER, "jobs", "Jobs that this process claimed.", "queue", "type"),

	RETRIED("pgqueue.retried", Meter.Type.COUNTER, "jobs", "Failed attempts that another one follows.", "queue",
			"type"),

	RECOVERED("pgqueue.recovered", Meter.Type.COUNTER, "jobs", "Jobs that this process took from dead workers.",
			"queue", "type"),

	REFUSED("pgqueue.refused", Meter.Type.COUNTER, "jobs",
			"Attempts whose end did not count, because the lease was another worker's.", "queue", "type"),

	SCHEDULE_DUE("pgqueue.schedule.due", Meter.Type.COUNTER, "times",
			"Due times of recurring jobs that this process saw to: `enqueued`, `skipped` since the job before was not over, or `missed` while nobody was there.",
			"schedule", "outcome"),

	STEPS("pgqueue.steps", Meter.Type.COUNTER, "steps",
			"Steps of handlers that were `recorded`, or `replayed` since an earlier attempt had done them.", "queue",
			"type", "outcome"),

	NOTIFIED("pgqueue.notified", Meter.Type.COUNTER, "notifications", "Wake-ups sent to other processes."),

	WAIT("pgqueue.wait", Meter.Type.TIMER, "seconds", "From when a job was due until its handler was called.", "queue",
			"type"),

	RUN("pgqueue.run", Meter.Type.TIMER, "seconds", "How long handlers ran, by how the attempt ended.", "queue", "type",
			"outcome"),

	LIFE("pgqueue.life", Meter.Type.TIMER, "seconds",
			"From the enqueue until the job succeeded, failed for good or was cancelled here.", "queue", "type",
			"outcome"),

	CLAIM("pgqueue.claim", Meter.Type.TIMER, "seconds", "How long claims took."),

	CLAIM_SIZE("pgqueue.claim.size", Meter.Type.DISTRIBUTION_SUMMARY, "jobs", "How many jobs a claim brought."),

	FINISH("pgqueue.finish", Meter.Type.TIMER, "seconds", "How long it took to write down a batch of ended attempts."),

	FINISH_SIZE("pgqueue.finish.size", Meter.Type.DISTRIBUTION_SUMMARY, "jobs", "How many ended attempts a batch had.");

	private final String meterName;

	private final Meter.Type type;

	private final String unit;

	private final String description;

	/** Separated by spaces: an enum holds no list. */
	private final String tags;

	QueueMeter(String meterName, Meter.Type type, String unit, String description, String... tags) {
		this.meterName = meterName;
		this.type = type;
		this.unit = unit;
		this.description = description;
		this.tags = String.join(" ", tags);
	}

	String meterName() {
		return this.meterName;
	}

	Meter.Type type() {
		return this.type;
	}

	/** The base unit; a timer has that of its registry. */
	@Nullable String unit() {
		return (this.type == Meter.Type.TIMER) ? null : this.unit;
	}

	String description() {
		return this.description;
	}

	List<String> tags() {
		return this.tags.isEmpty() ? List.of() : List.of(this.tags.split(" "));
	}

}
