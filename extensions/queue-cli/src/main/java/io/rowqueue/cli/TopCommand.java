package io.rowqueue.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.rowqueue.admin.JobCount;
import io.rowqueue.admin.QueueOverview;
import io.rowqueue.admin.WorkerView;
import io.rowqueue.cli.Terminal.Screen;
import io.rowqueue.dashboard.api.figures.LatestRates;
import io.rowqueue.dashboard.api.figures.Rates;
import io.rowqueue.engine.figures.TallyStore;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Shows the current state of the queue until it is interrupted. */
@Command(name = "top", mixinStandardHelpOptions = true,
		description = "Shows queues, workers, and running and failed jobs, until q is pressed or it is interrupted.")
final class TopCommand extends QueueCommand {

	private static final String CLEAR = "\u001b[H\u001b[2J";

	private static final int ROWS = 8;

	private static final String NOW = "select clock_timestamp() as now, to_regclass('{schema}.tally') is not null as tallied";

	@Option(names = "--interval", defaultValue = "2",
			description = "Seconds between two refreshes; ${DEFAULT-VALUE} by default.")
	private int interval;

	@Option(names = "--once", description = "Shows the state once, without clearing the screen.")
	private boolean once;

	@Override
	int run(Queue queue, PrintWriter out) throws IOException, InterruptedException {
		LatestRates rates = new LatestRates(new TallyStore(queue.database()));
		if (this.once) {
			show(tables(queue, rates), Screen.ENDLESS, out);
			return OK;
		}
		Terminal terminal = Terminal.open();
		// it fails when the reader of a pipe, such as head, has ended
		do {
			List<TextTable> tables = tables(queue, rates);
			out.print(CLEAR);
			show(tables, terminal.screen(), out);
		}
		while (!out.checkError() && !terminal.isPressed('q', Duration.ofSeconds(Math.max(this.interval, 1))));
		return OK;
	}

	/** What needs less than its share of the screen leaves the rest to the others. */
	private static void show(List<TextTable> tables, Screen screen, PrintWriter out) {
		Map<TextTable, List<String>> lines = new HashMap<>();
		int left = screen.height() - tables.size();
		for (TextTable table : tables.stream().sorted(Comparator.comparingInt(TextTable::height)).toList()) {
			List<String> shown = table.lines(left / (tables.size() - lines.size()), screen.width());
			lines.put(table, shown);
			left -= shown.size();
		}
		out.println(tables.stream()
			.map((table) -> String.join(System.lineSeparator(), lines.getOrDefault(table, List.of())))
			.collect(Collectors.joining(System.lineSeparator().repeat(2))));
	}

	private static List<TextTable> tables(Queue queue, LatestRates rates) {
		QueueOverview overview = queue.overview();
		TextTable workers = new TextTable("WORKER", "NAME", "HEARTBEAT", "HELD", "SLOTS");
		for (WorkerView worker : overview.workers()) {
			if (worker.deadAt() == null) {
				workers.row(worker.id(), worker.name(), worker.heartbeatAge(), worker.held(), worker.slots());
			}
		}
		TextTable running = new TextTable("RUNNING", "QUEUE", "TYPE", "ATTEMPT", "FOR", "WORKER");
		overview.running(ROWS)
			.forEach((job) -> running.row(job.jobId(), job.queue(), job.type(), job.attempt(), job.age(),
					job.workerId()));
		TextTable failures = new TextTable("FAILED ATTEMPT OF", "NOW", "TYPE", "ATTEMPT", "AT", "ERROR");
		overview.failures(ROWS)
			.forEach((failure) -> failures.row(failure.jobId(), failure.state(), failure.type(), failure.attempt(),
					failure.failedAt(), failure.error()));
		Now now = queue.database()
			.first(NOW,
					(row, index) -> new Now(row.getTimestamp("now").toInstant(),
							row.getBoolean("tallied") ? rates : null))
			.orElseThrow();
		return List.of(now.head(), queues(overview, now), workers, running, failures);
	}

	/** Those with the most due jobs first: the others may not fit. */
	private static TextTable queues(QueueOverview overview, Now now) {
		Map<String, Map<String, Long>> queues = new TreeMap<>();
		for (JobCount count : overview.jobs()) {
			queues.computeIfAbsent(count.queue(), (queue) -> new TreeMap<>()).put(count.state(), count.jobs());
		}
		Map<String, Rates> rates = now.rates((all) -> all.ofQueues(queues.keySet(), now.time()));
		TextTable table = new TextTable("QUEUE", "ENDED / MIN", "JOBS BY STATE");
		queues.entrySet()
			.stream()
			.sorted(Comparator.comparingLong((queue) -> -queue.getValue().getOrDefault("queued", 0L)))
			.forEach((queue) -> {
				StringBuilder text = new StringBuilder();
				queue.getValue().forEach((state, jobs) -> text.append(state).append(' ').append(jobs).append("  "));
				Rates rate = rates.get(queue.getKey());
				table.row(queue.getKey(), (rate != null) ? Math.round(rate.endedPerMinute()) : "", text);
			});
		return table;
	}

	/**
	 * The moment that is shown, by the database's clock.
	 *
	 * @param time the time
	 * @param figures what happened lately; {@code null}: the schema keeps no figures
	 */
	private record Now(Instant time, @Nullable LatestRates figures) {

		Map<String, Rates> rates(Function<LatestRates, Map<String, Rates>> read) {
			return (this.figures != null) ? read.apply(this.figures) : Map.of();
		}

		TextTable head() {
			Rates rates = rates((all) -> all.ofAll(this.time)).get("");
			return new TextTable(this.time.truncatedTo(ChronoUnit.SECONDS).toString(),
					(rates != null) ? "%s jobs ended in the latest minute, %s of them failed; %s attempts are retried"
						.formatted(Math.round(rates.endedPerMinute()), Math.round(rates.failedPerMinute()),
								Math.round(rates.retriedPerMinute()))
							: "");
		}

	}

}
