package io.rowqueue.autoconfigure;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.regex.Pattern;

import io.rowqueue.RetryPolicy;
import io.rowqueue.engine.database.TransactionCheck;
import io.rowqueue.engine.enqueue.PayloadWriter;
import io.rowqueue.engine.recovery.RecoveryRules;
import io.rowqueue.engine.support.PropertyCheck;
import io.rowqueue.engine.support.PropertyName;
import io.rowqueue.migration.SchemaMode;
import io.rowqueue.schema.SchemaName;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.convert.DurationUnit;
import org.springframework.util.Assert;
import org.springframework.util.unit.DataSize;

/**
 * Properties of the job queue. A duration without a unit is in seconds, in
 * {@code rowqueue.retention} in days.
 *
 * @param enabled Whether to enable the job queue. If it is not set, and the application's
 * only or primary DataSource does not connect to PostgreSQL, the queue is off and the log
 * states it; if it is true, the application does not start in this case.
 * @param maxPayloadSize Maximum size of a job's payload as JSON. Enqueueing a larger one
 * fails.
 * @param schema the tables
 * @param enqueue what may be enqueued
 * @param worker how this process runs jobs
 * @param connection the connection pool of workers
 * @param notifications how processes notify each other
 * @param retry when to retry failed jobs
 * @param retention how long to keep finished jobs
 * @param limits limits of the whole cluster
 * @param jobLog what is kept in the logs of jobs
 * @param types Options of individual types, by type. They take precedence over the
 * attributes of the handler's annotation.
 */
@ConfigurationProperties("rowqueue")
public record QueueProperties(@DefaultValue("true") boolean enabled, @DefaultValue("1MB") DataSize maxPayloadSize,
		@DefaultValue Schema schema, @DefaultValue Enqueue enqueue,
		@NestedConfigurationProperty @DefaultValue WorkerProperties worker,
		@NestedConfigurationProperty @DefaultValue ConnectionProperties connection,
		@DefaultValue Notifications notifications, @DefaultValue Retry retry,
		@NestedConfigurationProperty @DefaultValue RetentionProperties retention,
		@NestedConfigurationProperty @DefaultValue LimitProperties limits,
		@NestedConfigurationProperty @DefaultValue JobLogProperties jobLog,
		@DefaultValue Map<String, JobTypeProperties> types) {

	public QueueProperties {
		PropertyCheck.of("rowqueue", () -> PayloadWriter.checkMaxSize(maxPayloadSize));
		PropertyCheck.of("rowqueue",
				() -> Assert.isTrue(maxPayloadSize.compareTo(worker.maxPayloadSize()) <= 0,
						() -> "maxPayloadSize must be at most rowqueue.worker.max-payload-size (%s), not %s"
							.formatted(worker.maxPayloadSize(), maxPayloadSize)));
		connection.check("rowqueue.worker", worker.lease());
		types.forEach((type, options) -> {
			String property = PropertyName.of("rowqueue.types", type);
			options.check(property);
			if (options.lease() != null) {
				connection.check(property, options.lease());
			}
		});
	}

	/**
	 * The tables of the queue.
	 *
	 * @param name Name of the PostgreSQL schema that contains the queue's tables.
	 * @param mode What to do with the queue's tables at startup: create and upgrade them,
	 * or only check them.
	 */
	public record Schema(@DefaultValue("rowqueue") String name, @DefaultValue("migrate") SchemaMode mode) {

		public Schema {
			PropertyCheck.value("rowqueue.schema.name", () -> new SchemaName(name));
		}

		public SchemaName schemaName() {
			return new SchemaName(this.name);
		}

	}

	/**
	 * What may be enqueued.
	 *
	 * @param transaction Which calls may enqueue jobs or send signals: any of them, any
	 * with a warning about those in transactions of another resource (warn), or only
	 * those in a transaction of the queue's DataSource (required).
	 */
	public record Enqueue(@DefaultValue("warn") TransactionCheck.Mode transaction) {

	}

	/**
	 * How processes notify each other of new jobs.
	 *
	 * @param enabled Whether processes notify each other of new jobs with LISTEN and
	 * NOTIFY. If not, workers poll.
	 * @param url JDBC URL of the PostgreSQL server itself, for the connection that
	 * listens for notifications. Set it if the application connects through a connection
	 * pooler.
	 * @param username User of the connection that listens. By default, the user of the
	 * application's connections.
	 * @param password Password of the user of the connection that listens.
	 */
	public record Notifications(@DefaultValue("true") boolean enabled, @Nullable String url, @Nullable String username,
			@Nullable String password) {

		private static final String HOST = "(?:\\[[^\\]/?]*\\]|[^/?:,]*)(?::\\d{1,5})?";

		private static final Pattern URL = Pattern
			.compile("jdbc:postgresql:(?://" + HOST + "(?:," + HOST + ")*/[^/?]*|/?[^/?]*)(?:\\?.*)?");

		/** The message does not quote the URL, which may contain a password. */
		public Notifications {
			PropertyCheck.of("rowqueue.notifications",
					() -> Assert.isTrue(url == null || url.isBlank() || URL.matcher(url).matches(),
							"url must have the form jdbc:postgresql://host:port/database"));
		}

		@Override
		public String toString() {
			return "Notifications[enabled=" + this.enabled + "]";
		}

	}

	/** What becomes of the jobs that a process ran when it died. */
	public RecoveryRules recoveryRules() {
		return new RecoveryRules(this.worker.maxAttempts(), this.worker.maxDeaths(), this.retry.initialDelay(),
				this.retry.multiplier(), this.retry.maxDelay());
	}

	/**
	 * When to retry failed jobs. A RetryPolicy bean replaces it.
	 *
	 * @param initialDelay Delay after the first failed attempt. If a duration suffix is
	 * not specified, seconds will be used.
	 * @param multiplier Factor by which the delay grows with each further attempt.
	 * @param maxDelay Maximum delay. If a duration suffix is not specified, seconds will
	 * be used.
	 * @param jitter Share of each delay that is random, from 0 to 1.
	 */
	public record Retry(@DurationUnit(ChronoUnit.SECONDS) @DefaultValue("2s") Duration initialDelay,
			@DefaultValue("3") double multiplier,
			@DurationUnit(ChronoUnit.SECONDS) @DefaultValue("1h") Duration maxDelay,
			@DefaultValue("0.2") double jitter) {

		public Retry {
			PropertyCheck.of("rowqueue.retry", () -> {
				Assert.isTrue(!initialDelay.isNegative(), () -> "initialDelay must not be negative: " + initialDelay);
				Assert.isTrue(maxDelay.compareTo(initialDelay) >= 0, () -> "maxDelay (" + maxDelay
						+ ") must not be shorter than rowqueue.retry.initial-delay (" + initialDelay + ")");
				RetryPolicy.exponential(initialDelay, multiplier, maxDelay, jitter);
			});
		}

		public RetryPolicy policy() {
			return RetryPolicy.exponential(this.initialDelay, this.multiplier, this.maxDelay, this.jitter);
		}

	}

}
