package io.pgqueue.lab.peer;

import java.util.Map;

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

	static Parameters from(Map<String, String> environment) {
		return new Parameters(number(environment, "JOBS", 100_000), number(environment, "WARM_UP", 0),
				number(environment, "FROM", 0), number(environment, "DURATION", 60), number(environment, "THREADS", 8),
				number(environment, "RATE", 0), number(environment, "SCHEDULED", 5_000_000));
	}

	private static int number(Map<String, String> environment, String name, int otherwise) {
		String value = environment.getOrDefault(name, "");
		return value.isEmpty() ? otherwise : Integer.parseInt(value);
	}

}
