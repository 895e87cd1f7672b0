package io.rowqueue.monitoring.autoconfigure.health;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import io.rowqueue.control.Pause;
import io.rowqueue.engine.measure.Figure;
import io.rowqueue.engine.measure.IndexTrouble;
import io.rowqueue.engine.measure.Measurement;
import io.rowqueue.engine.measure.Measurements;
import io.rowqueue.engine.support.Outage;
import io.rowqueue.engine.support.QueueClass;
import io.rowqueue.engine.support.Times;
import io.rowqueue.engine.worker.NotificationStatus;
import io.rowqueue.engine.worker.WorkerStatus;
import io.rowqueue.monitoring.autoconfigure.MonitoringProperties;
import io.rowqueue.monitoring.autoconfigure.MonitoringProperties.Health.ProblemStatus;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

/**
 * Reports problems of the queue from memory: a probe never waits for the database. A
 * problem of the queue does not make the application unfit for requests, unless the
 * properties change that.
 */
class QueueHealthIndicator extends AbstractHealthIndicator {

	/** A status that Boot's aggregation ignores. */
	static final Status DEGRADED = new Status("DEGRADED", "The queue needs attention");

	private static final Duration LATE = Duration.ofSeconds(30);

	private static final Duration UNHANDLED = Duration.ofMinutes(1);

	private final Measurements measurements;

	private final Supplier<Optional<WorkerStatus>> worker;

	private final Outage outage;

	private final MonitoringProperties.Health properties;

	private final BooleanSupplier asleep;

	private final boolean enabled;

	QueueHealthIndicator(Measurements measurements, Supplier<Optional<WorkerStatus>> worker, BooleanSupplier asleep,
			Outage outage, MonitoringProperties.Health properties, boolean enabled) {
		super("The health check of the queue failed");
		this.measurements = measurements;
		this.worker = worker;
		this.asleep = asleep;
		this.outage = outage;
		this.properties = properties;
		this.enabled = enabled;
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		if (this.asleep.getAsBoolean()) {
			builder.up().withDetail("asleep", "The queue has nothing to do, and no connection is open");
			return;
		}
		if (!this.enabled) {
			builder.unknown().withDetail("reason", "The job queue is off; the log of the start states why");
			return;
		}
		Map<String, String> problems = new LinkedHashMap<>();
		this.outage.database().ifPresent((text) -> problems.put("database", text));
		this.outage.failing()
			.forEach((who, error) -> problems.put("failing." + who, who + " fails repeatedly: " + error));
		Optional<WorkerStatus> status = this.worker.get();
		status.filter((each) -> each.heartbeatAge().compareTo(this.properties.heartbeatAge()) > 0)
			.ifPresent((each) -> problems.put("heartbeat",
					"The latest heartbeat of worker " + each.id() + " is " + Times.readable(each.heartbeatAge())
							+ " old; other workers recover its jobs when its lease ends"));
		if (status.filter((each) -> each.notifications() == NotificationStatus.NOT_RECEIVING).isPresent()) {
			problems.put("notifications",
					"Notifications of other processes do not reach this one: its worker finds jobs by polling, and its"
							+ " death is noticed only when its lease ends. If there is a connection pooler in between, set"
							+ " rowqueue.notifications.url to the address of the server itself");
		}
		this.measurements.latest().ifPresent((measurement) -> check(measurement, problems));
		if (problems.isEmpty()) {
			builder.up();
		}
		else {
			builder.status((this.properties.status() == ProblemStatus.DOWN) ? Status.DOWN : DEGRADED);
			builder.withDetail("problems", problems);
		}
		this.measurements.latest()
			.map(QueueHealthIndicator::paused)
			.filter((paused) -> !paused.isEmpty())
			.ifPresent((paused) -> builder.withDetail("paused", paused));
		status.ifPresent((each) -> builder.withDetail("workerId", each.id()));
	}

	private void check(Measurement measurement, Map<String, String> problems) {
		if (measurement.age().compareTo(this.measurements.longestPause().plus(LATE)) > 0) {
			problems.put("measurement", "No process has measured the queue for " + Times.readable(measurement.age()));
			return;
		}
		double waiting = sum(measurement, "queued");
		if (measurement.total(Figure.WORKERS) == 0 && waiting > 0) {
			problems.put("workers", "There is no live worker, and " + (long) waiting + " jobs are waiting");
		}
		double stuck = sum(measurement, "stuck");
		if (stuck >= this.properties.stuckJobs()) {
			problems.put("stuck", (long) stuck + " jobs are held by dead workers and have not been recovered");
		}
		for (Figure figure : measurement.figures()) {
			checkAge(figure, problems);
			if (measurement.total(Figure.WORKERS) > 0) {
				checkHandled(figure, problems);
			}
			if (figure.name().equals(Figure.INDEX)) {
				IndexTrouble index = IndexTrouble.of(figure);
				problems.put("index." + index.name(), index.description() + "; rowqueue doctor names the remedy");
			}
			if (figure.name().equals(Figure.HORIZON_AGE) && figure.value() > this.properties.horizonAge()) {
				problems.put("horizon",
						"A " + figure.state() + ", " + figure.text() + ", has prevented the removal of dead rows for "
								+ (long) figure.value() + " transactions; " + (long) measurement.total(Figure.DEAD_ROWS)
								+ " rows of the table of jobs are dead, and claims become slower until it ends");
			}
		}
	}

	private void checkAge(Figure figure, Map<String, String> problems) {
		Duration maxAge = this.properties.oldestAge();
		if (figure.name().equals(Figure.OLDEST_AGE) && figure.value() > maxAge.toSeconds()) {
			String queue = Figure.OTHER_QUEUES.equals(figure.queue()) ? "one of many other queues"
					: "the queue '" + figure.queue() + "'";
			problems.put("oldest-age." + figure.queue(),
					"The first job of " + queue + ", " + figure.text() + ", has been due for " + readable(figure)
							+ "; the endpoint explains why at rowqueue/jobs/" + figure.text());
		}
	}

	/**
	 * During a deployment this is normal for a moment: it is reported if it lasts.
	 */
	private static void checkHandled(Figure figure, Map<String, String> problems) {
		if (figure.name().equals(Figure.UNHANDLED) && figure.value() > UNHANDLED.toSeconds()) {
			problems.put("unhandled." + figure.state(), "No live worker has a handler for the type '" + figure.state()
					+ "' of the queue '" + figure.queue() + "', whose first job has been due for " + readable(figure));
		}
	}

	/** A pause is intended, and no problem, but it can be forgotten. */
	private static Map<String, String> paused(Measurement measurement) {
		Map<String, String> paused = new LinkedHashMap<>();
		measurement.figures()
			.stream()
			.filter((figure) -> figure.name().equals(Figure.PAUSED))
			.forEach((figure) -> paused.put(figure.state() + " " + figure.queue(),
					"For " + readable(figure) + ((figure.text() != null) ? ": " + figure.text() : "")
							+ (Pause.QUEUE.equals(figure.state())
									? "; waiting jobs: " + waiting(measurement, figure.queue()) : "")));
		return paused;
	}

	private static long waiting(Measurement measurement, @Nullable String paused) {
		return (long) measurement.figures()
			.stream()
			.filter((figure) -> figure.name().equals(Figure.JOBS) && "queued".equals(figure.state())
					&& QueueClass.isNamed(paused, figure.queue()))
			.mapToDouble(Figure::value)
			.sum();
	}

	private static String readable(Figure figure) {
		return Times.readable(Duration.ofSeconds((long) figure.value()));
	}

	private static double sum(Measurement measurement, String state) {
		return measurement.figures()
			.stream()
			.filter((figure) -> figure.name().equals(Figure.JOBS) && state.equals(figure.state()))
			.mapToDouble(Figure::value)
			.sum();
	}

}
