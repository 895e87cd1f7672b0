package io.rowqueue.cli;

import java.time.Duration;
import java.util.List;

import io.rowqueue.admin.JobCount;
import io.rowqueue.admin.UnhandledJobs;
import io.rowqueue.admin.WorkerView;
import io.rowqueue.control.Pause;
import io.rowqueue.engine.support.Times;

/** Whether workers run, and what waits. */
record QueueChecks(Queue queue) {

	/** More findings of a kind than these are one. */
	private static final int MAX_ALIKE = 10;

	private static final Duration LATE = Duration.ofSeconds(10);

	void addTo(List<Finding> findings) {
		List<WorkerView> workers = this.queue.overview()
			.workers()
			.stream()
			.filter((worker) -> worker.deadAt() == null)
			.toList();
		List<JobCount> counts = this.queue.overview().jobs();
		findings.add((workers.isEmpty() && jobs(counts, "queued") > 0)
				? Finding.problem(
						"No worker runs, and " + jobs(counts, "queued") + " jobs are waiting. Start the application.")
				: Finding.ok("Live workers: " + workers.size()));
		for (WorkerView worker : workers) {
			if (worker.heartbeatAge().compareTo(LATE) > 0) {
				findings.add(Finding.warn("The latest heartbeat of worker " + worker.id() + " (" + worker.name()
						+ ") is " + Times.readable(worker.heartbeatAge()) + " old."));
			}
			if (!worker.listening()) {
				findings.add(Finding.warn("Worker " + worker.id() + " (" + worker.name()
						+ ") receives no notifications, and finds jobs by polling."));
			}
		}
		if (!workers.isEmpty()) {
			List<UnhandledJobs> all = this.queue.admin().unhandled();
			if (all.size() > MAX_ALIKE) {
				findings.add(Finding.problem("No live worker has a handler and slots for jobs of " + all.size()
						+ " types and queues, among them the following."));
			}
			for (UnhandledJobs unhandled : all.subList(0, Math.min(all.size(), MAX_ALIKE))) {
				findings.add(Finding
					.problem("Jobs that wait because no live worker has a handler for their type '" + unhandled.type()
							+ "' and slots for the queue '" + unhandled.queue() + "': " + unhandled.jobs() + "."));
			}
		}
		for (Pause pause : this.queue.admin().pauses()) {
			findings.add(Finding.warn("The " + pause.kind() + " '" + pause.name() + "' has been paused since "
					+ pause.pausedAt() + ((pause.reason() != null) ? ": " + pause.reason() : "") + "."));
		}
		if (jobs(counts, "failed") > 0) {
			findings
				.add(Finding.warn("Failed jobs: " + jobs(counts, "failed") + ". See: rowqueue list --state=failed"));
		}
	}

	private static long jobs(List<JobCount> counts, String state) {
		return counts.stream().filter((count) -> count.state().equals(state)).mapToLong(JobCount::jobs).sum();
	}

}
