package io.rowqueue.lab.contestant;

import java.util.List;
import java.util.stream.IntStream;

import io.rowqueue.JobRequest;

/**
 * Jobs as a real application has them: twenty types, three priorities, a unique key for
 * every second one, and one in a hundred that fails the first time.
 */
public final class Mix {

	private static final int TYPES = 20;

	private static final int PRIORITIES = 3;

	private static final int FAILING = 100;

	private Mix() {
	}

	static List<String> types() {
		return IntStream.range(0, TYPES).mapToObj((type) -> "mix-" + type).toList();
	}

	static JobRequest request(int job) {
		JobRequest request = JobRequest.of("mix-" + job % TYPES, Payload.of(job)).priority(job / 7 % PRIORITIES);
		return (job % 2 == 0) ? request.uniqueKey("mix-" + job) : request;
	}

	static void failSometimes(int job, int attempt) {
		if (fails(job) && attempt == 1) {
			throw new IllegalStateException("fails the first time");
		}
	}

	private static boolean fails(int job) {
		return job % FAILING == FAILING - 1;
	}

	/** The expected number of runs of each job. */
	public static int expectedRuns(int job) {
		return fails(job) ? 2 : 1;
	}

}
