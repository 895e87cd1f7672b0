package io.pgqueue.autoconfigure;

import java.util.List;

import io.micrometer.core.instrument.Meter;
import org.jspecify.annotations.Nullable;

/** Every meter of the queue. The table in the document is checked against it. */
enum QueueMeter {

	JOBS("queue.jobs", Meter.Type.GAUGE, "jobs",
			"Jobs that are not over, or failed. `blocked` ones wait for other jobs, a batch, or the limit of their key, `overdue` are queued ones past their deadline, `stuck` ones are held by a dead worker. Estimated beyond 10,000.",
			"queue", "state"),

	OLDEST_AGE("queue.oldest.age", Meter.Type.GAUGE, "seconds",
			"How long the first job of the queue has been due; 0 if none waits.", "queue"),

	TYPE_JOBS("queue.type.jobs", Meter.Type.GAUGE, "jobs",
			"Jobs of a type that wait, run or have failed, by the states of `queue.jobs`; no series if there are none. Estimated beyond 10,000 of a queue that wait, and beyond 1,000 that failed.",
			"queue", "type", "state"),

	TYPE_OLDEST_AGE("queue.type.oldest.age", Meter.Type.GAUGE, "seconds",
			"How long the first job of the type has been due; no series if none waits.", "queue", "type"),

	UNHANDLED("queue.unhandled.age", Meter.Type.GAUGE, "seconds",
			"How long the first job has been due of a type that no living worker runs; no series if there is none, and at most 20.",
			"queue", "type"),

	WORKERS("queue.workers", Meter.Type.GAUGE, "workers", "Workers that were heard of lately, in all processes."),

	DEAD_ROWS("queue.table.dead.rows", Meter.Type.GAUGE, "rows",
			"Dead rows of the table of jobs that are not yet removed."),

	TABLE_SIZE("queue.table.size", Meter.Type.GAUGE, "bytes", "What the table of jobs and its indexes take."),

	HORIZON_AGE("queue.horizon.age", Meter.Type.GAUGE, "transactions",
			"How many transactions ago the oldest transaction began that keeps dead rows from being removed."),

	LIMIT_HELD("queue.limit.held", Meter.Type.GAUGE, "jobs",
			"Jobs that a limit of a queue or type counts now, in all processes.", "kind", "name"),

	LIMIT("queue.limit.concurrency", Meter.Type.GAUGE, "jobs",
			"How many jobs of a queue or type run at once at most, in all processes.", "kind", "name"),

	LIMIT_TOKENS("queue.limit.tokens", Meter.Type.GAUGE, "jobs",
			"How many jobs of a queue or type may begin now by its rate, in all processes.", "kind", "name"),

	LIMIT_WAITING("queue.limit.waiting", Meter.Type.GAUGE, "jobs",
			"Jobs that wait because of the limit of their key; 10,000 stand for as many or more."),

	SCHEDULES("queue.schedules", Meter.Type.GAUGE, "schedules",
			"Recurring jobs: `active`, `paused`, `disabled` since no worker declares them, or `ended`.", "state"),

	SCHEDULE_LATE("queue.schedule.late", Meter.Type.GAUGE, "seconds",
			"For how long the recurring job has been due that nobody has enqueued for longest; 0 if there is none."),

	WINDOW_OPEN("queue.window.open", Meter.Type.GAUGE, "windows", "Whether the window is open: 1, or 0.", "window"),

	FLOWS("queue.flows", Meter.Type.GAUGE, "flows",
			"Flows that are `running`, or `failed` and wait for somebody to retry or cancel them; 1,000 stand for as many or more.",
			"state"),

	BATCHES("queue.batches", Meter.Type.GAUGE, "batches",
			"Batches that are not over: `open` to more jobs, or `running`; 10,000 stand for as many or more.", "state"),

	BATCH_OLDEST("queue.batch.oldest.age", Meter.Type.GAUGE, "seconds",
			"How long ago the oldest batch was created that is closed and not over; 0 if there is none."),

	MEASUREMENT_AGE("queue.measurement.age", Meter.Type.GAUGE, "seconds",
			"How old the figures above are; they grow old when the database is away."),

	SLOTS("queue.worker.slots", Meter.Type.GAUGE, "slots", "Slots of this process, `used` or `free`.", "pool", "state"),

	PREFETCHED("queue.worker.prefetched", Meter.Type.GAUGE, "jobs", "Jobs of this process that wait for a slot.",
			"pool"),

	HEARTBEAT_AGE("queue.worker.heartbeat.age", Meter.Type.GAUGE, "seconds",
			"How long ago the database took a heartbeat of this process; none without a worker."),

	ENQUEUED("queue.enqueued", Meter.Type.COUNTER, "jobs",
			"Jobs that were enqueued here, by what became of it: created, or what a taken unique key led to. Counted before the commit.",
			"queue", "type", "outcome"),

	CLAIMED("queue.claimed", Meter.Type.COUNTER, "jobs", "Jobs that this process claimed.", "queue", "type"),

	RETRIED("queue.retried", Meter.Type.COUNTER, "jobs", "Failed attempts that another one follows.", "queue", "type"),

	RECOVERED("queue.recovered", Meter.Type.COUNTER, "jobs", "Jobs that this process took from dead workers.", "queue",
			"type"),

	REFUSED("queue.refused", Meter.Type.COUNTER, "jobs",
			"Attempts whose end did not count, because the lease was another worker's.", "queue", "type"),

	SCHEDULE_DUE("queue.schedule.due", Meter.Type.COUNTER, "times",
			"Due times of recurring jobs that this process saw to: `enqueued`, `skipped` since the job before was not over, or `missed` while nobody was there.",
			"schedule", "outcome"),

	STEPS("queue.steps", Meter.Type.COUNTER, "steps",
			"Steps of handlers that were `recorded`, or `replayed` since an earlier attempt had done them.", "queue",
			"type", "outcome"),

	NOTIFIED("queue.notified", Meter.Type.COUNTER, "notifications", "Wake-ups sent to other processes."),

	WAIT("queue.wait", Meter.Type.TIMER, "seconds", "From when a job was due until its handler was called.", "queue",
			"type"),

	RUN("queue.run", Meter.Type.TIMER, "seconds", "How long handlers ran, by how the attempt ended.", "queue", "type",
			"outcome"),

	LIFE("queue.life", Meter.Type.TIMER, "seconds",
			"From the enqueue until the job succeeded, failed for good or was cancelled here.", "queue", "type",
			"outcome"),

	CLAIM("queue.claim", Meter.Type.TIMER, "seconds", "How long claims took."),

	CLAIM_SIZE("queue.claim.size", Meter.Type.DISTRIBUTION_SUMMARY, "jobs", "How many jobs a claim brought."),

	FINISH("queue.finish", Meter.Type.TIMER, "seconds", "How long it took to write down a batch of ended attempts."),

	FINISH_SIZE("queue.finish.size", Meter.Type.DISTRIBUTION_SUMMARY, "jobs", "How many ended attempts a batch had.");

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
