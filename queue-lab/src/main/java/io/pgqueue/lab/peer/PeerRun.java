package io.pgqueue.lab.peer;

import java.util.Map;

/**
 * Runs one workload against the database of {@code JDBC_URL} and prints what it measured.
 */
public final class PeerRun {

	/** Enough for the largest backlog and for a minute of any rate seen so far. */
	private static final int CAPACITY = 12_000_000;

	private PeerRun() {
	}

	/**
	 * Runs the workload that {@code WORKLOAD} names.
	 * @param arguments none
	 */
	public static void main(String[] arguments) {
		Map<String, String> environment = System.getenv();
		Report report = new Report(System.out);
		Ledger ledger = new Ledger(CAPACITY);
		int status = 0;
		try {
			QueueUnderTest queue = QueueUnderTest.create(ledger);
			report.value("version", "0.1.0");
			report.value("settings", queue.settings());
			new Workloads(queue, ledger, report, Parameters.from(environment))
				.run(environment.getOrDefault("WORKLOAD", "drain"));
		}
		catch (Exception ex) {
			ex.printStackTrace();
			status = 1;
		}
		Runtime.getRuntime().halt(status);
	}

}
