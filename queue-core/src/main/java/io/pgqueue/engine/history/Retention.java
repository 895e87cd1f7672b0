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
 * How long jobs are kept once they are over.
 *
 * @param times for most queues
 * @param queues for queues that differ, by name
 */
public record Retention(Times times, Map<String, Times> queues) {

	/** A week, and a month for failed ones. */
	public static final Retention DEFAULT = new Retention(
			new Times(Duration.ofDays(7), Duration.ofDays(7), Duration.ofDays(30)), Map.of());

	/** Copies the map. */
	public Retention {
		queues = new TreeMap<>(queues);
	}

	/** Which succeeded jobs are written down at all. */
	public KeptJobs keptJobs() {
		boolean keep = !this.times.succeeded.isZero();
		return new KeptJobs(keep,
				this.queues.entrySet()
					.stream()
					.filter((queue) -> queue.getValue().succeeded.isZero() == keep)
					.map(Map.Entry::getKey)
					.collect(Collectors.toSet()));
	}

	FinishedAges finished() {
		return new FinishedAges(this.times.succeeded, this.times.cancelled, byQueue(Times::succeeded),
				byQueue(Times::cancelled));
	}

	/** The different times after which some finished jobs go, the shortest first. */
	SortedSet<Duration> finishedAges() {
		return all().flatMap((each) -> Stream.of(each.succeeded, each.cancelled))
			.collect(Collectors.toCollection(TreeSet::new));
	}

	Map<String, Duration> failedByQueue() {
		return byQueue(Times::failed);
	}

	/** Then no finished job is kept any more. */
	Duration longestFinished() {
		return finishedAges().last();
	}

	/** Then no failed job is kept any more, nor the record of a failed attempt. */
	Duration longestFailed() {
		return all().map(Times::failed).max(Duration::compareTo).orElseThrow();
	}

	/** After that long nothing of any job is kept. */
	Duration longest() {
		return (longestFinished().compareTo(longestFailed()) > 0) ? longestFinished() : longestFailed();
	}

	private Stream<Times> all() {
		return Stream.concat(Stream.of(this.times), this.queues.values().stream());
	}

	private Map<String, Duration> byQueue(Function<Times, Duration> outcome) {
		Map<String, Duration> ages = new HashMap<>();
		this.queues.forEach((queue, own) -> ages.put(queue, outcome.apply(own)));
		return ages;
	}

	/**
	 * The times by outcome. Zero: not at all; succeeded jobs are not even written then,
	 * the others go with the next run of the maintenance, at most ten minutes later.
	 *
	 * @param succeeded jobs that succeeded
	 * @param cancelled jobs that were cancelled
	 * @param failed jobs that failed for good, and the records of failed attempts
	 */
	public record Times(Duration succeeded, Duration cancelled, Duration failed) {

		/**
		 * Checks the values.
		 * @throws IllegalArgumentException naming the value that is wrong and what is
		 * allowed
		 */
		public Times {
			Assert.isTrue(!succeeded.isNegative(), () -> "succeeded must not be negative: " + succeeded);
			Assert.isTrue(!cancelled.isNegative(), () -> "cancelled must not be negative: " + cancelled);
			Assert.isTrue(!failed.isNegative(), () -> "failed must not be negative: " + failed);
		}

	}

}
