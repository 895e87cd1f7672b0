package io.rowqueue.autoconfigure;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.rowqueue.engine.support.PropertyCheck;
import io.rowqueue.engine.support.PropertyName;
import io.rowqueue.engine.worker.WorkerSettings;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.convert.DurationUnit;
import org.springframework.util.Assert;
import org.springframework.util.unit.DataSize;

/**
 * How this process runs jobs.
 *
 * @param enabled Whether this process runs jobs. If not, it only enqueues them.
 * @param concurrency Maximum number of jobs that run at once in this process, of all
 * queues without a concurrency of their own. With 0, it does not run these queues.
 * @param queues Queues with a concurrency of their own, by name.
 * @param types Job types that this process runs.
 * @param prefetch Maximum number of jobs that are held in addition to the running ones,
 * for each queue with a concurrency of its own and for all others together.
 * @param prefetchWait Time that a job which was claimed ahead may wait for a slot. After
 * that it is released, so that other workers can run it. If a duration suffix is not
 * specified, seconds will be used.
 * @param maxAttempts Maximum attempts of a job, unless the job or its type sets it.
 * @param maxDeaths Maximum number of processes that die while they run a job, before it
 * fails permanently.
 * @param pollInterval Interval at which to look for jobs that no notification has
 * announced. If a duration suffix is not specified, seconds will be used.
 * @param idleInterval Interval of heartbeats and of looks for jobs while this process has
 * nothing to do and is notified of new jobs. With 0, it works as when it is busy. If a
 * duration suffix is not specified, seconds will be used.
 * @param sleepAfter Time without anything to do after which the queue of this process
 * closes its connections and executes no more statement, until this process enqueues a
 * job or something is due that the database knew of. What other processes enqueue
 * meanwhile is not noticed. If not set, it never does. If a duration suffix is not
 * specified, seconds will be used.
 * @param directStart Whether a job that is enqueued in this process starts right after
 * its commit if a slot is idle, without a notification and a claim.
 * @param lease Time after its last heartbeat at which a worker is declared dead and its
 * jobs are recovered. A worker whose connection has ended is declared dead sooner. If a
 * duration suffix is not specified, seconds will be used.
 * @param shutdownTimeout Maximum time for running jobs to finish when the application
 * stops. If a duration suffix is not specified, seconds will be used.
 * @param aging Time past its deadline that raises a waiting job by one priority, so that
 * low priorities do not starve. If not set, priorities are strict. If a duration suffix
 * is not specified, seconds will be used.
 * @param maxPayloadSize Maximum size of a payload that this process reads. A job with a
 * larger one fails permanently.
 */
public record WorkerProperties(@DefaultValue("true") boolean enabled, @DefaultValue("10") int concurrency,
		@DefaultValue Map<String, Queue> queues, @DefaultValue Types types, @DefaultValue("2000") int prefetch,
		@DurationUnit(ChronoUnit.SECONDS) @DefaultValue("2s") Duration prefetchWait,
		@DefaultValue("10") int maxAttempts, @DefaultValue("3") int maxDeaths,
		@DurationUnit(ChronoUnit.SECONDS) @DefaultValue("1s") Duration pollInterval,
		@DurationUnit(ChronoUnit.SECONDS) @DefaultValue("60s") Duration idleInterval,
		@DurationUnit(ChronoUnit.SECONDS) @Nullable Duration sleepAfter, @DefaultValue("true") boolean directStart,
		@DurationUnit(ChronoUnit.SECONDS) @DefaultValue("30s") Duration lease,
		@DurationUnit(ChronoUnit.SECONDS) @DefaultValue("20s") Duration shutdownTimeout,
		@DurationUnit(ChronoUnit.SECONDS) @Nullable Duration aging, @DefaultValue("16MB") DataSize maxPayloadSize) {

	public WorkerProperties {
		queues
			.forEach((name, queue) -> PropertyCheck.of(PropertyName.of("rowqueue.worker.queues", name), queue::check));
		PropertyCheck.of("rowqueue.worker",
				() -> Assert.isTrue(sleepAfter == null || sleepAfter.compareTo(Duration.ZERO) > 0,
						() -> "sleepAfter must be positive: " + sleepAfter));
		PropertyCheck.of("rowqueue.worker", () -> Assert.isTrue(sleepAfter == null || !idleInterval.isZero(),
				() -> "sleepAfter needs an idle-interval that is not 0: only an idle queue falls asleep"));
		PropertyCheck.of("rowqueue.worker",
				() -> Assert.isTrue(maxDeaths >= 1, () -> "maxDeaths must be at least 1: " + maxDeaths));
		PropertyCheck.of("rowqueue.worker", () -> settings(concurrency, queues, prefetch, prefetchWait, maxAttempts,
				pollInterval, idleInterval, lease, shutdownTimeout, aging, maxPayloadSize));
	}

	public WorkerSettings settings() {
		return settings(this.concurrency, this.queues, this.prefetch, this.prefetchWait, this.maxAttempts,
				this.pollInterval, this.idleInterval, this.lease, this.shutdownTimeout, this.aging,
				this.maxPayloadSize);
	}

	private static WorkerSettings settings(int concurrency, Map<String, Queue> queues, int prefetch,
			Duration prefetchWait, int maxAttempts, Duration pollInterval, Duration idleInterval, Duration lease,
			Duration shutdownTimeout, @Nullable Duration aging, DataSize maxPayloadSize) {
		Map<String, Integer> slots = new LinkedHashMap<>();
		queues.forEach((name, queue) -> slots.put(name, queue.concurrency()));
		return new WorkerSettings(concurrency, slots, prefetch, prefetchWait, maxAttempts, pollInterval, idleInterval,
				lease, shutdownTimeout, aging, maxPayloadSize);
	}

	/**
	 * Which of the application's types this process runs. In the patterns, {@code *}
	 * stands for any characters.
	 *
	 * @param include Types that this process runs, such as 'mail' or 'report-*'. If
	 * empty, it runs all types that the application has handlers for.
	 * @param exclude Types that this process does not run, even if they are included.
	 */
	public record Types(@DefaultValue List<String> include, @DefaultValue List<String> exclude) {

		public Types {
			include = List.copyOf(include);
			exclude = List.copyOf(exclude);
		}

	}

	/**
	 * How this process runs the jobs of one queue.
	 *
	 * @param concurrency Maximum number of jobs of this queue that run at once in this
	 * process.
	 */
	public record Queue(int concurrency) {

		private void check() {
			Assert.isTrue(this.concurrency > 0, () -> "concurrency must be positive, not " + this.concurrency);
		}

	}

}
