package io.pgqueue.lab.peer;

import java.io.PrintStream;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.IntStream;

/** Prints {@code metric=value} lines as the harness of the peers reads them. */
final class Report {

	private final PrintStream out;

	private long startedAt;

	Report(PrintStream out) {
		this.out = out;
	}

	void value(String metric, Object value) {
		this.out.println(
				metric + "=" + ((value instanceof Double number) ? String.format(Locale.ROOT, "%.3f", number) : value));
		this.out.flush();
	}

	/** From here on the harness measures. */
	void start() {
		value("mark", "start");
		this.startedAt = System.nanoTime();
	}

	/** Up to here the harness measures. */
	void end() {
		value("mark", "end");
	}

	/** Ends the measured time, in which so many jobs were done. */
	void throughput(int jobs) {
		double seconds = (System.nanoTime() - this.startedAt) / 1e9;
		end();
		value("jobs_per_s", jobs / seconds);
	}

	void runs(Ledger ledger, int jobs) {
		value("executed", ledger.total());
		value("duplicates", ledger.duplicates(jobs));
		value("missing", ledger.missing(jobs));
	}

	/** The latencies of the jobs that began in a time. */
	void latencies(String prefix, Ledger ledger, int jobs, long from, long to) {
		latencies(prefix, ledger,
				IntStream.range(0, jobs).filter((job) -> ledger.begun(job) >= from && ledger.begun(job) < to));
	}

	void latencies(String prefix, Ledger ledger, IntStream jobs) {
		double[] millis = jobs.filter(ledger::isComplete).mapToDouble(ledger::latencyMillis).toArray();
		Arrays.sort(millis);
		if (millis.length > 0) {
			value(prefix + "p50_ms", millis[millis.length / 2]);
			value(prefix + "p95_ms", millis[(int) (millis.length * 0.95)]);
			value(prefix + "p99_ms", millis[(int) (millis.length * 0.99)]);
			value(prefix + "max_ms", millis[millis.length - 1]);
		}
	}

}
