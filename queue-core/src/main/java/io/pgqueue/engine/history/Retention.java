package io.pgqueue.engine.history;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.pgqueue.engine.lease.KeptJobs;
import org.springframework.util.Assert;

/**
 * How long finished jobs are kept.
 *
 * @param ages the ages for most queues
 * @param queues the ages for other queues, by name
 */
public record Retention(Ages ages, Map<String, Ages> queues) {

	/** A week, and a month for failed jobs. */
	public static final Retention DEFAULT = new Retention(
			new Ages(Duration.ofDays(7), Duration.ofDays(7), Duration.ofDays(30)), Map.of());

	/** Copies the map. */
	public Retention {
		queues = new TreeMap<>(queues);
	}

	/** Returns which succeeded jobs are stored in the history. */
	public KeptJobs keptJobs() {
		boolean keep = !this.ages.succeeded.isZero();
		return new KeptJobs(keep,
				this.queues.entrySet()
					.stream()
					.filter((queue) -> queue.getValue().succeeded.isZero() == keep)
					.map(Map.Entry::getKey)
					.collect(Collectors.toSet()));
	}

	FinishedAges finished() {
		return new FinishedAges(this.ages.succeeded, this.ages.cancelled, byQueue(Ages::succeeded),
				byQueue(Ages::cancelled));
	}

	/** Returns the different maximum ages of finished jobs, the shortest first. */
	SortedSet<Duration> finishedAges() {
		return all().flatMap((each) -> Stream.of(each.succeeded, each.cancelled))
			.collect(Collectors.toCollection(TreeSet::new));
	}

	Map<String, Duration> failedByQueue() {
		return byQueue(Ages::failed);
	}

	/** Returns the age at which all finished jobs are deleted. */
	Duration longestFinished() {
		return finishedAges().last();
	}

	/**
	 * Returns the age at which all failed jobs and records of failed attempts are
	 * deleted.
	 */
	Duration longestFailed() {
		return all().map(Ages::failed).max(Duration::compareTo).orElseThrow();
	}

	/** Returns the age at which all data of a job is deleted. */
	Duration longest() {
		return (longestFinished().compareTo(longestFailed()) > 0) ? longestFinished() : longestFailed();
	}

	private Stream<Ages> all() {
		return Stream.concat(Stream.of(this.ages), this.queues.values().stream());
	}

	private Map<String, Duration> byQueue(Function<Ages, Duration> outcome) {
		Map<String, Duration> ages = new HashMap<>();
		this.queues.forEach((queue, own) -> ages.put(queue, outcome.apply(own)));
		return ages;
	}

	/**
	 * The maximum ages by outcome. With zero, succeeded jobs are not stored at all, and
	 * other jobs are deleted with the next run of the maintenance, at most ten minutes
	 * later.
	 *
	 * @param succeeded the age for jobs that succeeded
	 * @param cancelled the age for jobs that were cancelled
	 * @param failed the age for jobs that failed permanently, and records of failed
	 * attempts
	 */
	public record Ages(Duration succeeded, Duration cancelled, Duration failed) {

		/**
		 * Checks the values.
		 * @throws IllegalArgumentException if a value is not allowed; the message names
		 * it
		 */
		public Ages {
			Assert.isTrue(!succeeded.isNegative(), () -> "succeeded must not be negative: " + succeeded);
			Assert.isTrue(!cancelled.isNegative(), () -> "cancelled must not be negative: " + cancelled);
			Assert.isTrue(!failed.isNegative(), () -> "failed must not be negative: " + failed);
		}

	}

}
