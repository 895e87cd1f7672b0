package io.rowqueue.lab.peer;

import java.util.Map;

import io.rowqueue.lab.contestant.Ledger;

/**
 * The size of a workload, from the environment.
 *
 * @param jobs how many jobs
 * @param warmUp how many jobs the same is done with before, unmeasured
 * @param from the number of the first job, for those that another process runs
 * @param seconds how long, for workloads that take a time
 * @param threads how many producers
 * @param rate jobs a second; 0: as many as are done
 * @param scheduled how many jobs of the workload that has them are due in a year
 */
record Parameters(int jobs, int warmUp, int from, int seconds, int threads, int rate, int scheduled) {

	/** More than any contestant has done so far. */
	private static final int MAX_A_SECOND = 100_000;

	private static final int SPARE = 10_000;

	/** Includes the time before the measured one. */
	private static final int SPARE_SECONDS = 15;

	static Parameters from(Map<String, String> environment) {
		return new Parameters(number(environment, "JOBS", 100_000), number(environment, "WARM_UP", 0),
				number(environment, "FROM", 0), number(environment, "DURATION", 60), number(environment, "THREADS", 8),
				number(environment, "RATE", 0), number(environment, "SCHEDULED", 5_000_000));
	}

	/**
	 * How many jobs the ledger holds: all there are, or as many as can come in the time,
	 * if half of the memory is enough for them.
	 */
	int capacity(String workload, long memory) {
		if (!workload.equals("steady") && !workload.equals("pinned")) {
			return Math.addExact(Math.addExact(this.warmUp, this.jobs), SPARE);
		}
		long max = (long) (this.seconds + SPARE_SECONDS) * ((this.rate > 0) ? this.rate : MAX_A_SECOND) + SPARE;
		return (int) Math.min(max, Math.min(Integer.MAX_VALUE - 8, memory / 2 / Ledger.BYTES_PER_JOB));
	}

	private static int number(Map<String, String> environment, String name, int otherwise) {
		String value = environment.getOrDefault(name, "");
		return value.isEmpty() ? otherwise : Integer.parseInt(value);
	}

}
