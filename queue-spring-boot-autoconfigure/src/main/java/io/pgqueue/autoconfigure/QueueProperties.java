package io.pgqueue.autoconfigure;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

import io.pgqueue.RetryPolicy;
import io.pgqueue.engine.enqueue.TransactionalJobQueue;
import io.pgqueue.engine.history.Retention;
import io.pgqueue.engine.worker.WorkerSettings;
import io.pgqueue.schema.SchemaMode;
import io.pgqueue.schema.SchemaName;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.convert.DurationUnit;
import org.springframework.util.Assert;
import org.springframework.util.unit.DataSize;

/**
 * The settings of the job queue. A time without a unit counts seconds, in
 * {@code pgqueue.retention} days: nobody means milliseconds there.
 *
 * @param enabled Whether the job queue is switched on.
 * @param maxPayloadSize Largest payload of a job, as JSON; a bigger one is refused when
 * the job is enqueued.
 * @param schema where the tables are
 * @param worker how jobs are run in this process
 * @param notifications how processes wake each other
 * @param retry when failed jobs are tried again
 * @param retention how long jobs are kept
 */
@ConfigurationProperties("pgqueue")
public record QueueProperties(@DefaultValue("true") boolean enabled, @DefaultValue("1MB") DataSize maxPayloadSize,
		@DefaultValue Schema schema, @DefaultValue Worker worker, @DefaultValue Notifications notifications,
		@DefaultValue Retry retry, @DefaultValue Retain retention) {

	public QueueProperties {
		PropertyCheck.of("pgqueue", () -> TransactionalJobQueue.checkMaxPayloadSize(maxPayloadSize));
		PropertyCheck.of("pgqueue",
				() -> Assert.isTrue(maxPayloadSize.compareTo(worker.maxPayloadSize()) <= 0,
						() -> "maxPayloadSize must be at most pgqueue.worker.max-payload-size (%s), not %s"
							.formatted(worker.maxPayloadSize(), maxPayloadSize)));
	}

	/**
	 * The tables of the queue.
	 *
	 * @param name Name of the PostgreSQL schema that holds the queue's tables.
	 * @param mode What to do about the queue's tables at start: create and upgrade them,
	 * or only check them.
	 */
	public record Schema(@DefaultValue("pgqueue") String name, @DefaultValue("migrate") SchemaMode mode) {

		public Schema {
			try {
				new SchemaName(name);
			}
			catch (IllegalArgumentException ex) {
				// no cause: Boot would show its message and not this one
				throw new IllegalArgumentException(
						"pgqueue.schema.name: " + ex.getMessage() + "; leave the property out for 'pgqueue'");
			}
		}

		public SchemaName schemaName() {
			return new SchemaName(this.name);
		}

	}

	/**
	 * How jobs are run in this process.
	 *
	 * @param enabled Whether this process runs jobs; if not, it only enqueues them.
	 * @param concurrency How many jobs run at once of the queues that have no concurrency
	 * of their own; with 0, other processes run them.
	 * @param queues Queues with a concurrency of their own, by name.
	 * @param prefetch How many jobs are held at most beyond those that run, for each
	 * queue with a concurrency of its own and for all others together.
	 * @param maxAttempts How often a job is tried that does not say so itself.
	 * @param pollInterval How long to wait before looking for jobs that no notification
	 * announced. If a duration suffix is not specified, seconds will be used.
	 * @param lease How long after its last heartbeat a process is given up and its jobs
	 * are run elsewhere; a process whose connection has ended is given up sooner. If a
	 * duration suffix is not specified, seconds will be used.
	 * @param shutdownTimeout How long running jobs may take to finish when the
	 * application stops. If a duration suffix is not specified, seconds will be used.
	 * @param aging How long a job waits beyond its deadline to count as one priority
	 * higher, so that none waits for ever behind higher ones; unset, priorities are
	 * strict. If a duration suffix is not specified, seconds will be used.
	 * @param maxPayloadSize Longest payload that is read; a job with a longer one fails
	 * for good.
	 */
	public record Worker(@DefaultValue("true") boolean enabled, @DefaultValue("10") int concurrency,
			@DefaultValue Map<String, Queue> queues, @DefaultValue("2000") int prefetch,
			@DefaultValue("10") int maxAttempts,
			@DurationUnit(ChronoUnit.SECONDS) @DefaultValue("1s") Duration pollInterval,
			@DurationUnit(ChronoUnit.SECONDS) @DefaultValue("30s") Duration lease,
			@DurationUnit(ChronoUnit.SECONDS) @DefaultValue("20s") Duration shutdownTimeout,
			@DurationUnit(ChronoUnit.SECONDS) @Nullable Duration aging, @DefaultValue("16MB") DataSize maxPayloadSize) {

		public Worker {
			PropertyCheck.of("pgqueue.worker", () -> settings(concurrency, queues, prefetch, maxAttempts, pollInterval,
					lease, shutdownTimeout, aging, maxPayloadSize));
		}

		public WorkerSettings settings() {
			return settings(this.concurrency, this.queues, this.prefetch, this.maxAttempts, this.pollInterval,
					this.lease, this.shutdownTimeout, this.aging, this.maxPayloadSize);
		}

		private static WorkerSettings settings(int concurrency, Map<String, Queue> queues, int prefetch,
				int maxAttempts, Duration pollInterval, Duration lease, Duration shutdownTimeout,
				@Nullable Duration aging, DataSize maxPayloadSize) {
			Map<String, Integer> slots = new LinkedHashMap<>();
			queues.forEach((name, queue) -> slots.put(name, queue.positiveConcurrency(name)));
			return new WorkerSettings(concurrency, slots, prefetch, maxAttempts, pollInterval, lease, shutdownTimeout,
					aging, maxPayloadSize);
		}

	}

	/**
	 * How jobs of one queue are run in this process.
	 *
	 * @param concurrency How many jobs of this queue run at once.
	 */
	public record Queue(int concurrency) {

		int positiveConcurrency(String name) {
			Assert.isTrue(this.concurrency > 0, () -> "queues" + PropertyCheck.key(name)
					+ ".concurrency must be positive, not " + this.concurrency);
			return this.concurrency;
		}

	}

	/**
	 * How processes wake each other when there are jobs.
	 *
	 * @param enabled Whether processes tell each other of new jobs by LISTEN and NOTIFY;
	 * if not, workers poll.
	 * @param url JDBC URL of the server itself, for the one connection that listens,
	 * where the application's connections lead to a pooler.
	 * @param username User of that connection; the one of the application's connections
	 * unless given.
	 * @param password Password of that user.
	 */
	public record Notifications(@DefaultValue("true") boolean enabled, @Nullable String url, @Nullable String username,
			@Nullable String password) {

		private static final String HOST = "(?:\\[[^\\]/?]*\\]|[^/?:,]*)(?::\\d{1,5})?";

		private static final Pattern URL = Pattern
			.compile("jdbc:postgresql:(?://" + HOST + "(?:," + HOST + ")*/[^/?]*|/?[^/?]*)(?:\\?.*)?");

		/** There may be a password in it: it is not quoted, and the driver would. */
		public Notifications {
			PropertyCheck.of("pgqueue.notifications",
					() -> Assert.isTrue(url == null || url.isBlank() || URL.matcher(url).matches(),
							"url must have the form jdbc:postgresql://host:port/database"));
		}

		@Override
		public String toString() {
			return "Notifications[enabled=" + this.enabled + "]";
		}

	}

	/**
	 * When failed jobs are tried again; a RetryPolicy bean decides instead, if there is
	 * one.
	 *
	 * @param initialDelay Pause after the first failed attempt. If a duration suffix is
	 * not specified, seconds will be used.
	 * @param multiplier How many times longer each pause is than the one before.
	 * @param maxDelay Longest pause. If a duration suffix is not specified, seconds will
	 * be used.
	 * @param jitter Part of each pause that is left to chance, from 0 to 1.
	 */
	public record Retry(@DurationUnit(ChronoUnit.SECONDS) @DefaultValue("2s") Duration initialDelay,
			@DefaultValue("3") double multiplier,
			@DurationUnit(ChronoUnit.SECONDS) @DefaultValue("1h") Duration maxDelay,
			@DefaultValue("0.2") double jitter) {

		public Retry {
			PropertyCheck.of("pgqueue.retry", () -> {
				Assert.isTrue(!initialDelay.isNegative(), () -> "initialDelay must not be negative: " + initialDelay);
				Assert.isTrue(maxDelay.compareTo(initialDelay) >= 0, () -> "maxDelay (" + maxDelay
						+ ") must not be shorter than pgqueue.retry.initial-delay (" + initialDelay + ")");
				RetryPolicy.exponential(initialDelay, multiplier, maxDelay, jitter);
			});
		}

		public RetryPolicy policy() {
			return RetryPolicy.exponential(this.initialDelay, this.multiplier, this.maxDelay, this.jitter);
		}

	}

	/**
	 * How long jobs are kept when they are over.
	 *
	 * @param succeeded How long jobs are kept that succeeded; with 0, they are not kept
	 * at all. If a duration suffix is not specified, days will be used.
	 * @param cancelled How long jobs are kept that were cancelled. If a duration suffix
	 * is not specified, days will be used.
	 * @param failed How long jobs are kept that failed for good. If a duration suffix is
	 * not specified, days will be used.
	 * @param queues Queues with times of their own, by name.
	 */
	public record Retain(@DurationUnit(ChronoUnit.DAYS) @DefaultValue("7d") Duration succeeded,
			@DurationUnit(ChronoUnit.DAYS) @DefaultValue("7d") Duration cancelled,
			@DurationUnit(ChronoUnit.DAYS) @DefaultValue("30d") Duration failed,
			@DefaultValue Map<String, RetainQueue> queues) {

		public Retain {
			PropertyCheck.of("pgqueue.retention", () -> retention(succeeded, cancelled, failed, queues));
		}

		public Retention retention() {
			return retention(this.succeeded, this.cancelled, this.failed, this.queues);
		}

		private static Retention retention(Duration succeeded, Duration cancelled, Duration failed,
				Map<String, RetainQueue> queues) {
			Retention.Times times = new Retention.Times(succeeded, cancelled, failed);
			Map<String, Retention.Times> own = new LinkedHashMap<>();
			queues.forEach((name, queue) -> own.put(name, queue.times(name, times)));
			return new Retention(times, own);
		}

	}

	/**
	 * How long jobs of one queue are kept when they are over.
	 *
	 * @param succeeded How long jobs of this queue are kept that succeeded.
	 * @param cancelled How long jobs of this queue are kept that were cancelled.
	 * @param failed How long jobs of this queue are kept that failed for good.
	 */
	public record RetainQueue(@DurationUnit(ChronoUnit.DAYS) @Nullable Duration succeeded,
			@DurationUnit(ChronoUnit.DAYS) @Nullable Duration cancelled,
			@DurationUnit(ChronoUnit.DAYS) @Nullable Duration failed) {

		Retention.Times times(String name, Retention.Times others) {
			try {
				return new Retention.Times((this.succeeded != null) ? this.succeeded : others.succeeded(),
						(this.cancelled != null) ? this.cancelled : others.cancelled(),
						(this.failed != null) ? this.failed : others.failed());
			}
			catch (IllegalArgumentException ex) {
				throw new IllegalArgumentException("queues" + PropertyCheck.key(name) + "." + ex.getMessage());
			}
		}

	}

}
