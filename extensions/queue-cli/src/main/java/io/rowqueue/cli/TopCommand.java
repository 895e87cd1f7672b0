package io.rowqueue.cli;

import java.io.PrintWriter;
import java.time.Duration;
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
			show(overview, out);
			return OK;
		}
		out.print(CLEAR);
		show(overview, out);
		// it fails when the reader of a pipe, such as head, has ended
		while (!out.checkError()) {
			Thread.sleep(Duration.ofSeconds(Math.max(this.interval, 1)).toMillis());
			out.print(CLEAR);
			show(overview, out);
		}
		return OK;
	}

	private static void show(QueueOverview overview, PrintWriter out) {
		queues(overview).print(out);
		out.println();
		TextTable workers = new TextTable("WORKER", "NAME", "HEARTBEAT", "HELD", "SLOTS");
		for (WorkerView worker : overview.workers()) {
			if (worker.deadAt() == null) {
				workers.row(worker.id(), worker.name(), worker.heartbeatAge(), worker.held(), worker.slots());
			}
		}
		workers.print(out);
		out.println();
		TextTable running = new TextTable("RUNNING", "QUEUE", "TYPE", "ATTEMPT", "FOR", "WORKER");
		overview.running(ROWS)
			.forEach((job) -> running.row(job.jobId(), job.queue(), job.type(), job.attempt(), job.age(),
					job.workerId()));
		running.print(out);
		out.println();
		TextTable failures = new TextTable("FAILED", "TYPE", "ATTEMPT", "AT", "ERROR");
		overview.failures(ROWS)
			.forEach((failure) -> failures.row(failure.jobId(), failure.type(), failure.attempt(), failure.failedAt(),
					failure.error()));
		failures.print(out);
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

}
