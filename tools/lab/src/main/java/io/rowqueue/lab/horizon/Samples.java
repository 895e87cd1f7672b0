package io.rowqueue.lab.horizon;

import java.io.PrintStream;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;

import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * Counts, and prints one line of JSON for each figure. Percentiles are those of the last
 * thirty seconds, from histograms of bounded size.
 */
final class Samples {

	/**
	 * The tables that the harness watches; they are in adapter.json too. The history is
	 * none of them: the harness cannot read the statistics of a partitioned table.
	 */
	static final List<String> TABLES = List.of("rowqueue.job", "rowqueue.claim");

	static final String SYSTEM = "rowqueue";

	private static final int WINDOW_SECONDS = 30;

	private static final long LONGEST_MICROS = TimeUnit.HOURS.toMicros(10);

	private final PrintStream out;

	private final LongAdder enqueued = new LongAdder();

	private final LongAdder completed = new LongAdder();

	private final AtomicLong depth = new AtomicLong();

	/** Jobs a second; read by one thread and written by another. */
	private volatile double target;

	private final Histogram current = new ConcurrentHistogram(LONGEST_MICROS, 3);

	/** Of the ticks before. */
	private final Deque<Histogram> window = new ArrayDeque<>();

	private long lastEnqueued;

	private long lastCompleted;

	Samples(PrintStream out) {
		this.out = out;
	}

	void enqueued(int jobs) {
		this.enqueued.add(jobs);
	}

	/** A job has started that was enqueued at a time, in microseconds since 1970. */
	void started(long at) {
		Instant now = Instant.now();
		long micros = now.getEpochSecond() * 1_000_000 + now.getNano() / 1000 - at;
		this.current.recordValue(Math.min(LONGEST_MICROS, Math.max(0, micros)));
	}

	void completed() {
		this.completed.increment();
	}

	void depth(long jobs) {
		this.depth.set(jobs);
	}

	long depth() {
		return this.depth.get();
	}

	void target(double rate) {
		this.target = rate;
	}

	/** Says what this is; the harness waits for it. */
	void descriptor(String url) {
		String database = url.replaceFirst("^.*/([^?]*).*$", "$1");
		print("{\"kind\":\"descriptor\",\"system\":\"" + SYSTEM + "\",\"event_tables\":"
				+ TABLES.stream().map((table) -> "\"" + table + "\"").collect(Collectors.joining(",", "[", "]"))
				+ ",\"extensions\":[],\"version\":\"0.1.0\",\"schema_version\":\"current\",\"db_name\":\"" + database
				+ "\",\"started_at\":\"" + now() + "\"}");
	}

	/**
	 * Prints all figures.
	 * @param seconds the time since the last call
	 * @param observer whether this process also prints the figures of the whole queue
	 */
	void tick(double seconds, boolean observer) {
		Histogram ended = this.current.copy();
		this.current.reset();
		this.window.addLast(ended);
		while (this.window.size() > Math.max(1, Math.round(WINDOW_SECONDS / seconds))) {
			this.window.removeFirst();
		}
		Histogram latest = new Histogram(LONGEST_MICROS, 3);
		this.window.forEach(latest::add);
		figure("claim_p50_ms", latest.getValueAtPercentile(50) / 1e3, WINDOW_SECONDS);
		figure("claim_p95_ms", latest.getValueAtPercentile(95) / 1e3, WINDOW_SECONDS);
		figure("claim_p99_ms", latest.getValueAtPercentile(99) / 1e3, WINDOW_SECONDS);
		long enqueuedNow = this.enqueued.sum();
		long completedNow = this.completed.sum();
		figure("enqueue_rate", (enqueuedNow - this.lastEnqueued) / seconds, seconds);
		figure("completion_rate", (completedNow - this.lastCompleted) / seconds, seconds);
		this.lastEnqueued = enqueuedNow;
		this.lastCompleted = completedNow;
		if (observer) {
			figure("queue_depth", (double) this.depth.get(), 0);
			figure("producer_target_rate", this.target, 0);
		}
	}

	private void figure(String name, double value, double window) {
		print(String.format(Locale.ROOT,
				"{\"t\":\"%s\",\"system\":\"%s\",\"kind\":\"adapter\",\"subject_kind\":\"adapter\",\"subject\":\"\","
						+ "\"metric\":\"%s\",\"value\":%.3f,\"window_s\":%.0f}",
				now(), SYSTEM, name, value, window));
	}

	private synchronized void print(String line) {
		this.out.println(line);
		this.out.flush();
	}

	private static Instant now() {
		return Instant.now().truncatedTo(ChronoUnit.MILLIS);
	}

}
