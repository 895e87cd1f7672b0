package io.rowqueue.lab.peer;

import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

import io.rowqueue.lab.contestant.Contestant;
import io.rowqueue.lab.contestant.Contestants;
import io.rowqueue.lab.contestant.Db;
import io.rowqueue.lab.contestant.Ledger;

/**
 * Runs one workload of one contestant against the fresh database of {@code JDBC_URL} and
 * prints what it measured.
 */
public final class PeerRun {

	private PeerRun() {
	}

	/**
	 * Runs the workload that {@code WORKLOAD} names with the contestant that
	 * {@code CONTESTANT} names, the product unless it is set.
	 * @param arguments none
	 */
	public static void main(String[] arguments) {
		Map<String, String> environment = System.getenv();
		Report report = new Report(System.out);
		int status = 0;
		try {
			String workload = environment.getOrDefault("WORKLOAD", "drain");
			Parameters parameters = Parameters.from(environment);
			Ledger ledger = new Ledger(parameters.capacity(workload, Runtime.getRuntime().maxMemory()));
			String url = Objects.requireNonNull(environment.get("JDBC_URL"),
					"JDBC_URL must be set to the URL of the database");
			Contestant queue = Contestants.create(environment.getOrDefault("CONTESTANT", Contestants.ROWQUEUE), url,
					ledger, workload);
			report.value("version", queue.version());
			report.value("settings", queue.settings() + "; java " + Runtime.version().feature() + compiler());
			new Workloads(queue, new Db(url), ledger, report, parameters).run(workload);
		}
		catch (UnsupportedOperationException ex) {
			report.value("unsupported", String.valueOf(ex.getMessage()));
		}
		catch (Exception ex) {
			ex.printStackTrace();
			status = 1;
		}
		Runtime.getRuntime().halt(status);
	}

	/** Returns the compiler options of the virtual machine, if any were set. */
	private static String compiler() {
		return ManagementFactory.getRuntimeMXBean()
			.getInputArguments()
			.stream()
			.filter((option) -> option.startsWith("-XX:Tiered"))
			.collect(Collectors.joining(" ", " ", ""))
			.stripTrailing();
	}

}
