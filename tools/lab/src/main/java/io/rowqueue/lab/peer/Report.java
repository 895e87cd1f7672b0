package io.rowqueue.lab.peer;

import java.io.PrintStream;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.IntUnaryOperator;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.rowqueue.lab.contestant.Ledger;
import org.HdrHistogram.Histogram;

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

	/** Ends the measured time, with the number of jobs done. */
	void throughput(int jobs) {
		double seconds = (System.nanoTime() - this.startedAt) / 1e9;
		end();
		value("jobs", jobs);
		value("jobs_per_s", jobs / seconds);
	}

	/** Reports what the ledger contains about the jobs, from number 0. */
	void runs(Ledger ledger, int jobs, IntUnaryOperator expectedRuns) {
		value("executed", ledger.total());
		value("duplicates", ledger.duplicates(jobs, expectedRuns));
		value("missing", ledger.missing(jobs, expectedRuns));
	}

	/**
	 * The states of the jobs from 0 on once no worker runs.
	 * @param left how many the database still has to run: those have not run
	 */
	void account(Ledger ledger, int jobs, long left) {
		int twice = ledger.duplicates(jobs, (job) -> 1);
		long lost = ledger.missing(jobs, (job) -> 1) - left;
		value("executed", ledger.total());
		value("duplicates", twice + Math.max(0, -lost));
		value("missing", Math.max(0, lost));
	}

	/**
	 * Reports the jobs in the database that were enqueued and not run.
	 * @param rows how many there are
	 * @param distinct of how many different jobs
	 */
	void stored(long rows, long distinct, long expected) {
		value("duplicates", rows - distinct);
		value("missing", Math.max(0, expected - distinct));
	}

	/** Returns the used heap after a garbage collection. */
	void heap(String metric) {
		System.gc();
		Runtime runtime = Runtime.getRuntime();
		value(metric, (runtime.totalMemory() - runtime.freeMemory()) >> 20);
	}

	/**
	 * What was done in each minute, separated by semicolons: jobs that began a second,
	 * and the median of their latencies; a minute in which none began has none.
	 */
	void minutes(Ledger ledger, int jobs, long from, long to) {
		long minute = TimeUnit.MINUTES.toNanos(1);
		Histogram[] micros = new Histogram[(int) ((to - from) / minute)];
		Arrays.setAll(micros, (index) -> new Histogram(TimeUnit.HOURS.toMicros(2), 3));
		for (int job = 0; job < jobs; job++) {
			long index = Math.floorDiv(ledger.begun(job) - from, minute);
			if (ledger.isComplete(job) && index >= 0 && index < micros.length) {
				micros[(int) index].recordValue(ledger.latencyMicros(job));
			}
		}
		value("jobs_per_s_by_minute", join(micros, (each) -> each.getTotalCount() / 60.0));
		value("p50_ms_by_minute",
				join(micros, (each) -> (each.getTotalCount() > 0) ? each.getValueAtPercentile(50) / 1e3 : Double.NaN));
	}

	private static String join(Histogram[] minutes, ToDoubleFunction<Histogram> value) {
		return Arrays.stream(minutes)
			.map((minute) -> String.format(Locale.ROOT, "%.2f", value.applyAsDouble(minute)))
			.collect(Collectors.joining(";"));
	}

	/** The latencies of the jobs that began in a time. */
	void latencies(String prefix, Ledger ledger, int jobs, long from, long to) {
		latencies(prefix, ledger,
				IntStream.range(0, jobs).filter((job) -> ledger.begun(job) >= from && ledger.begun(job) < to));
	}

	void latencies(String prefix, Ledger ledger, IntStream jobs) {
		Histogram micros = new Histogram(TimeUnit.HOURS.toMicros(2), 3);
		jobs.filter(ledger::isComplete).forEach((job) -> micros.recordValue(ledger.latencyMicros(job)));
		if (micros.getTotalCount() > 0) {
			value(prefix + "p50_ms", micros.getValueAtPercentile(50) / 1e3);
			value(prefix + "p95_ms", micros.getValueAtPercentile(95) / 1e3);
			value(prefix + "p99_ms", micros.getValueAtPercentile(99) / 1e3);
			value(prefix + "max_ms", micros.getMaxValue() / 1e3);
		}
	}

}
