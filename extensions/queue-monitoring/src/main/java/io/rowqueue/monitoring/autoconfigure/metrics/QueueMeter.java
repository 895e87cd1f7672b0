package io.rowqueue.monitoring.autoconfigure.metrics;

import java.util.List;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import org.jspecify.annotations.Nullable;

/** Every meter of the queue. The table in the document is checked against it. */
enum QueueMeter {

	JOBS("rowqueue.jobs", Meter.Type.GAUGE, "jobs",
			"Jobs that have not finished, or have failed. `blocked` jobs wait for other jobs, a batch, or the limit of their key; `overdue` jobs are queued and past their deadline; `stuck` jobs are held by a dead worker. Estimated beyond 10,000.",
			"queue", "state"),

	OLDEST_AGE("rowqueue.oldest.age", Meter.Type.GAUGE, "seconds",
			"How long the oldest waiting job of the queue has been due; 0 if there is none.", "queue"),

	TYPE_JOBS("rowqueue.type.jobs", Meter.Type.GAUGE, "jobs",
			"Jobs of a type that wait, run or have failed, with the states of `rowqueue.jobs`; no series if there are none. Estimated beyond 10,000 waiting jobs of a queue, and beyond 1,000 failed jobs.",
			"queue", "type", "state"),

	TYPE_OLDEST_AGE("rowqueue.type.oldest.age", Meter.Type.GAUGE, "seconds",
			"How long the oldest waiting job of the type has been due; no series if there is none.", "queue", "type"),

	UNHANDLED("rowqueue.unhandled.age", Meter.Type.GAUGE, "seconds",
			"How long the oldest waiting job of a type that no live worker runs has been due; no series if there is none, and at most 20.",
			"queue", "type"),

	WORKERS("rowqueue.workers", Meter.Type.GAUGE, "workers", "Live workers, in all processes."),

	DEAD_ROWS("rowqueue.table.dead.rows", Meter.Type.GAUGE, "rows",
			"Dead rows of the table `job` that vacuum has not removed yet."),

	TABLE_SIZE("rowqueue.table.size", Meter.Type.GAUGE, "bytes", "Size of the table `job` and its indexes."),

	HORIZON_AGE("rowqueue.horizon.age", Meter.Type.GAUGE, "transactions",
			"Age of the oldest snapshot that prevents the removal of dead rows, as the number of transactions since then."),

	LIMIT_HELD("rowqueue.limit.held", Meter.Type.GAUGE, "jobs",
			"Jobs that currently count against a limit of a queue or type, or units of a limit key, in all processes.",
			"kind", "name"),

	LIMIT("rowqueue.limit.concurrency", Meter.Type.GAUGE, "jobs",
			"Maximum number of jobs of a queue or type, or of units of a limit key, that run at once, in all processes.",
			"kind", "name"),

	LIMIT_TOKENS("rowqueue.limit.tokens", Meter.Type.GAUGE, "jobs",
			"Number of jobs of a queue or type, or units of a limit key, that its rate allows to start now, in all processes.",
			"kind", "name"),

	LIMIT_WAITING("rowqueue.limit.waiting", Meter.Type.GAUGE, "jobs",
			"Jobs that wait because of the limit of their key; counted up to 10,000."),

	OUTBOX_JOBS("rowqueue.outbox.jobs", Meter.Type.GAUGE, "jobs",
			"Jobs that wait to be published to a message broker; counted up to 10,000."),

	OUTBOX_AGE("rowqueue.outbox.age", Meter.Type.GAUGE, "seconds",
			"How long the oldest of these jobs has been waiting; 0 if there is none."),

	SCHEDULES("rowqueue.schedules", Meter.Type.GAUGE, "schedules",
			"Recurring jobs: `active`, `paused`, `disabled` because no worker declares them, or `ended`.", "state"),

	SCHEDULE_LATE("rowqueue.schedule.late", Meter.Type.GAUGE, "seconds",
			"How long the most overdue recurring job has been due without having been enqueued; 0 if there is none."),

	WINDOW_OPEN("rowqueue.window.open", Meter.Type.GAUGE, "windows", "Whether the window is open (1) or closed (0).",
			"window"),

	PAUSES("rowqueue.pauses", Meter.Type.GAUGE, "pauses",
			"Queues, types and limit keys whose jobs are not claimed now, because of a `pause`, a `hold`, or a `window` that is closed; counted up to 10,000.",
			"state"),

	WAITS("rowqueue.waits", Meter.Type.GAUGE, "jobs",
			"Jobs whose handler waits for a `signal`, for the end of a `sleep`, or for other `jobs`; counted up to 10,000.",
			"state"),

	FLOWS("rowqueue.flows", Meter.Type.GAUGE, "flows",
			"Flows that are `running`, or have `failed` and must be retried or cancelled manually; counted up to 1,000.",
			"state"),

	BATCHES("rowqueue.batches", Meter.Type.GAUGE, "batches",
			"Batches that have not finished: `open` for more jobs, or `running`; counted up to 10,000.", "state"),

	BATCH_OLDEST("rowqueue.batch.oldest.age", Meter.Type.GAUGE, "seconds",
			"Age of the oldest batch that is closed and has not finished; 0 if there is none."),

	MEASUREMENT_AGE("rowqueue.measurement.age", Meter.Type.GAUGE, "seconds",
			"Age of the measurement that the meters above show. It grows while the database is not available."),

	SLOTS("rowqueue.worker.slots", Meter.Type.GAUGE, "slots", "Slots of this process that are `used` or `free`.",
			"pool", "state"),

	PREFETCHED("rowqueue.worker.prefetched", Meter.Type.GAUGE, "jobs",
			"Claimed jobs that wait for a slot of this process.", "pool"),

	HEARTBEAT_AGE("rowqueue.worker.heartbeat.age", Meter.Type.GAUGE, "seconds",
			"Age of the latest heartbeat of this process that the database has stored, without the interval of an idle worker; NaN without a worker."),

	ENQUEUED("rowqueue.enqueued", Meter.Type.COUNTER, "jobs",
			"Jobs that this process enqueued, by outcome: created, or the effect of a taken unique key. Counted before the commit.",
			"queue", "type", "outcome"),

	CLAIMED("rowqueue.claimed", Meter.Type.COUNTER, "jobs",
			"Jobs that this process claimed, or started directly when it enqueued them.", "queue", "type"),

	RELEASED("rowqueue.released", Meter.Type.COUNTER, "jobs",
			"Jobs that this process claimed ahead and released, because they had waited too long for a slot.", "queue",
			"type"),

	RETRIED("rowqueue.retried", Meter.Type.COUNTER, "jobs", "Failed attempts that are retried.", "queue", "type"),

	RECOVERED("rowqueue.recovered", Meter.Type.COUNTER, "jobs", "Jobs of dead workers that this process recovered.",
			"queue", "type"),

	EXPIRED("rowqueue.expired", Meter.Type.COUNTER, "jobs",
			"Jobs that this process cancelled because they had expired before they began.", "queue", "type"),

	REFUSED("rowqueue.refused", Meter.Type.COUNTER, "jobs",
			"Attempts whose end was rejected because the lease was no longer current.", "queue", "type"),

	SCHEDULE_DUE("rowqueue.schedule.due", Meter.Type.COUNTER, "times",
			"Due times of recurring jobs that this process handled: `enqueued`, `skipped` because the previous job had not finished, or `missed` while no worker was running.",
			"schedule", "outcome"),

	STEPS("rowqueue.steps", Meter.Type.COUNTER, "steps",
			"Steps of handlers that were `recorded`, or `replayed` because an earlier attempt had completed them.",
			"queue", "type", "outcome"),

	LOG_DROPPED("rowqueue.log.dropped", Meter.Type.COUNTER, "lines",
			"Lines of job logs that were dropped, because the attempt had logged more than is kept.", "queue", "type"),

	PARKED("rowqueue.parked", Meter.Type.COUNTER, "jobs",
			"Jobs that the database took over from a message broker in this process: because they `ended` in another way than a plain success, took `long`, recorded a `step`, were delivered `again`, were for a pool that had long been `full`, were `unavailable` to this worker, or were records that the queue had not published (`foreign`).",
			"queue", "type", "reason"),

	NOTIFIED("rowqueue.notified", Meter.Type.COUNTER, "notifications", "Notifications sent to other processes."),

	WAIT("rowqueue.wait", Meter.Type.TIMER, "seconds", "Time from when a job was due until its handler was called.",
			"queue", "type"),

	RUN("rowqueue.run", Meter.Type.TIMER, "seconds", "Duration of attempts, by outcome.", "queue", "type", "outcome"),

	LIFE("rowqueue.life", Meter.Type.TIMER, "seconds",
			"Time from the enqueue until the job succeeded, failed permanently or was cancelled in this process.",
			"queue", "type", "outcome"),

	CLAIM("rowqueue.claim", Meter.Type.TIMER, "seconds", "Duration of claims."),

	CLAIM_SIZE("rowqueue.claim.size", Meter.Type.DISTRIBUTION_SUMMARY, "jobs", "Number of jobs per claim."),

	FINISH("rowqueue.finish", Meter.Type.TIMER, "seconds", "Time to store the ends of several attempts together."),

	FINISH_SIZE("rowqueue.finish.size", Meter.Type.DISTRIBUTION_SUMMARY, "jobs",
			"Number of attempts whose ends were stored together.");

	private final String meterName;

	private final Meter.Type type;

	private final String unit;

	private final String description;

	/** The names of the tags, separated by spaces. */
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

	/** Registers gauges whose tags are known when they are shown. */
	MultiGauge multiGauge(MeterRegistry registry) {
		return MultiGauge.builder(this.meterName).description(this.description).baseUnit(unit()).register(registry);
	}

	List<String> tags() {
		return this.tags.isEmpty() ? List.of() : List.of(this.tags.split(" "));
	}

}
