package io.rowqueue.monitoring.autoconfigure;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

import io.rowqueue.engine.support.PropertyCheck;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.convert.DurationUnit;
import org.springframework.util.Assert;

/**
 * Configuration properties of what is measured, recorded and observed. A duration without
 * a unit is in seconds, in {@code rowqueue.figures} in days.
 *
 * @param measurement what meters and health show of the database
 * @param figures figures over time that the dashboard shows
 * @param health when the queue reports a problem
 * @param indexes what is done about indexes that became large
 * @param tracing how the traces of jobs are related
 * @since 0.1.0
 */
@ConfigurationProperties("rowqueue")
public record MonitoringProperties(@DefaultValue Measurement measurement,
		@NestedConfigurationProperty @DefaultValue FiguresProperties figures, @DefaultValue Health health,
		@DefaultValue Indexes indexes, @DefaultValue Tracing tracing) {

	/**
	 * What meters and health show of the database.
	 *
	 * @param interval Interval at which one process measures the queue for all processes.
	 * If a duration suffix is not specified, seconds will be used.
	 * @param overdueAfter Time past its deadline after which a queued job counts as
	 * overdue. The deadline of a job is its due time plus its tolerance. If a duration
	 * suffix is not specified, seconds will be used.
	 * @param maxNames Maximum number of queues, and of types, that have meters of their
	 * own. All others are counted together.
	 */
	public record Measurement(@DurationUnit(ChronoUnit.SECONDS) @DefaultValue("10s") Duration interval,
			@DurationUnit(ChronoUnit.SECONDS) @DefaultValue("1m") Duration overdueAfter,
			@DefaultValue("100") int maxNames) {

		public Measurement {
			PropertyCheck.of("rowqueue.measurement", () -> {
				Assert.isTrue(interval.toMillis() >= 100,
						() -> "interval must be 100 milliseconds or longer, not " + interval);
				Assert.isTrue(!overdueAfter.isNegative(), () -> "overdueAfter must not be negative: " + overdueAfter);
				Assert.isTrue(maxNames > 0, () -> "maxNames must be positive, not " + maxNames);
			});
		}

	}

	/**
	 * When the queue reports a problem, and what that means for the application's health.
	 *
	 * @param status Status to report if the queue has a problem: degraded does not affect
	 * the overall health of the application, down does.
	 * @param heartbeatAge Age of this process's latest heartbeat above which it is
	 * reported. If a duration suffix is not specified, seconds will be used.
	 * @param oldestAge How long a job may have been due before its queue is reported. If
	 * a duration suffix is not specified, seconds will be used.
	 * @param stuckJobs Number of jobs held by dead workers from which they are reported.
	 * @param horizonAge Number of transactions during which a session may prevent the
	 * removal of dead rows before it is reported.
	 */
	public record Health(@DefaultValue("degraded") ProblemStatus status,
			@DurationUnit(ChronoUnit.SECONDS) @DefaultValue("10s") Duration heartbeatAge,
			@DurationUnit(ChronoUnit.SECONDS) @DefaultValue("1h") Duration oldestAge, @DefaultValue("1") long stuckJobs,
			@DefaultValue("100000") long horizonAge) {

		/** The status of the application if the queue has a problem. */
		public enum ProblemStatus {

			/** The queue needs attention, the application can serve requests. */
			DEGRADED,

			/** The application cannot do its work. */
			DOWN

		}

	}

	/**
	 * What is done about indexes of the queue that became large, or that an interrupted
	 * statement has left.
	 *
	 * @param rebuild Whether a worker process rebuilds large and invalid indexes of the
	 * queue while it has little to do. The role must own the tables.
	 */
	public record Indexes(@DefaultValue("false") boolean rebuild) {

	}

	/**
	 * How the traces of jobs are related.
	 *
	 * @param mode Whether an attempt continues the trace that enqueued its job (parent),
	 * or starts a trace of its own that links to it (link).
	 * @param convention Names and attributes that describe enqueues and attempts in
	 * traces and timers: those of Rowqueue (rowqueue), or the messaging attributes of
	 * OpenTelemetry (otel-messaging).
	 */
	public record Tracing(@DefaultValue("parent") Mode mode, @DefaultValue("rowqueue") Convention convention) {

		/** The names and attributes of observations. */
		public enum Convention {

			/** Those of rowqueue. */
			ROWQUEUE,

			/** The messaging attributes of OpenTelemetry. */
			OTEL_MESSAGING

		}

		/** How the trace of an attempt is related to the one that enqueued its job. */
		public enum Mode {

			/** It is the same trace. */
			PARENT,

			/** It is a trace of its own, with a link to the other. */
			LINK

		}

	}

}
