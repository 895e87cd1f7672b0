package io.rowqueue.engine.history;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.rowqueue.engine.lease.KeptJobs;
import io.rowqueue.engine.support.Times;
import org.springframework.util.Assert;

/**
 * How long finished jobs are kept.
 *
 * @param ages the ages for most queues
 * @param queues the ages for other queues, by name
 * @param types the ages of types whose succeeded and cancelled jobs have one, whatever
 * their queue
 */
public record Retention(Ages ages, Map<String, Ages> queues, Map<String, Duration> types) {

	/** A longer age would begin before the first time that PostgreSQL knows. */
	private static final Duration LONGEST = Duration.ofDays(365_000);

	/** A week, and a month for failed jobs. */
	public static final Retention DEFAULT = new Retention(
			new Ages(Duration.ofDays(7), Duration.ofDays(7), Duration.ofDays(30)), Map.of(), Map.of());

	/** Copies the maps. */
	public Retention {
		queues = new TreeMap<>(queues);
		types = Map.copyOf(types);
	}

	/** Returns the same ages of queues, with these of types. */
	Retention withTypes(Map<String, Duration> ages) {
		return new Retention(this.ages, this.queues, ages);
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

	/** Returns the different maximum ages of finished jobs, the shortest first. */
	SortedSet<Duration> finishedAges() {
		return Stream
			.concat(all().flatMap((each) -> Stream.of(each.succeeded, each.cancelled)), this.types.values().stream())
			.collect(Collectors.toCollection(TreeSet::new));
	}

	Map<String, Duration> failedByQueue() {
		Map<String, Duration> failed = new HashMap<>();
		this.queues.forEach((queue, own) -> failed.put(queue, own.failed));
		return failed;
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
		return Times.longer(longestFinished(), longestFailed());
	}

	/** Returns the age, or the longest one that is counted. */
	static Duration atMost(Duration age) {
		return Times.shorter(age, LONGEST);
	}

	private Stream<Ages> all() {
		return Stream.concat(Stream.of(this.ages), this.queues.values().stream());
	}

	/**
	 * The maximum ages by outcome. With zero, succeeded jobs are not stored at all, and
	 * other jobs are deleted with the next run of the maintenance, at most ten minutes
	 * later. An age of more than a thousand years counts as a thousand years.
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
			succeeded = checked("succeeded", succeeded);
			cancelled = checked("cancelled", cancelled);
			failed = checked("failed", failed);
		}

		private static Duration checked(String name, Duration age) {
			Assert.isTrue(!age.isNegative(), () -> name + " must not be negative: " + age);
			return atMost(age);
		}

	}

}
