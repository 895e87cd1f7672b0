package io.rowqueue.cli;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.rowqueue.admin.JobCount;
import io.rowqueue.admin.QueueOverview;
import io.rowqueue.admin.WorkerView;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Shows the current state of the queue until it is interrupted. */
@Command(name = "top", mixinStandardHelpOptions = true,
		description = "Shows queues, workers, and running and failed jobs, until it is interrupted.")
final class TopCommand extends QueueCommand {

	private static final String CLEAR = "\u001b[H\u001b[2J";

	private static final int ROWS = 8;

	@Option(names = "--interval", defaultValue = "2",
			description = "Seconds between two refreshes; ${DEFAULT-VALUE} by default.")
	private int interval;

	@Option(names = "--once", description = "Shows the state once, without clearing the screen.")
	private boolean once;

	@Override
	int run(Queue queue, PrintWriter out) throws InterruptedException {
		QueueOverview overview = queue.overview();
		if (this.once) {
			show(tables(overview), Screen.ENDLESS, out);
			return OK;
		}
		// it fails when the reader of a pipe, such as head, has ended
		do {
			List<TextTable> tables = tables(overview);
			out.print(CLEAR);
			show(tables, Screen.current(), out);
			if (out.checkError()) {
				return OK;
			}
			Thread.sleep(Duration.ofSeconds(Math.max(this.interval, 1)).toMillis());
		}
		while (true);
	}

	/** What needs less than its share of the screen leaves the rest to the others. */
	private static void show(List<TextTable> tables, Screen screen, PrintWriter out) {
		int left = screen.height() - tables.size();
		for (int i = 0; i < tables.size(); i++) {
			List<String> lines = tables.get(i).lines(left / (tables.size() - i), screen.width());
			lines.forEach(out::println);
			left -= lines.size();
			if (i + 1 < tables.size()) {
				out.println();
			}
		}
	}

	private static List<TextTable> tables(QueueOverview overview) {
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
		return List.of(workers, running, failures, queues(overview));
	}

	private static TextTable queues(QueueOverview overview) {
		Map<String, Map<String, Long>> queues = new TreeMap<>();
		for (JobCount count : overview.jobs()) {
			queues.computeIfAbsent(count.queue(), (queue) -> new TreeMap<>()).put(count.state(), count.jobs());
		}
		TextTable table = new TextTable("QUEUE", "JOBS BY STATE");
		queues.forEach((queue, counts) -> {
			StringBuilder text = new StringBuilder();
			counts.forEach((state, jobs) -> text.append(state).append(' ').append(jobs).append("  "));
			table.row(queue, text);
		});
		return table;
	}

	/** How many characters are shown. */
	private record Screen(int height, int width) {

		static final Screen ENDLESS = new Screen(Integer.MAX_VALUE, Integer.MAX_VALUE);

		private static final Screen ORDINARY = new Screen(24, 80);

		/**
		 * Asked for again each time: it can be resized. Without a terminal it is an
		 * ordinary one.
		 */
		static Screen current() throws InterruptedException {
			try {
				Process stty = new ProcessBuilder("stty", "size")
					.redirectInput(ProcessBuilder.Redirect.from(new File("/dev/tty")))
					.redirectError(ProcessBuilder.Redirect.DISCARD)
					.start();
				String[] size = new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip()
					.split(" ");
				return (stty.waitFor() == 0 && size.length == 2 && !size[0].equals("0"))
						? new Screen(Integer.parseInt(size[0]), Integer.parseInt(size[1])) : ORDINARY;
			}
			catch (IOException | NumberFormatException ex) {
				return ORDINARY;
			}
		}

	}

}
