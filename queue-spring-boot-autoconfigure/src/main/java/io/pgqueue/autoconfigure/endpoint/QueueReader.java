package io.pgqueue.autoconfigure.endpoint;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.pgqueue.FailedAttempt;
import io.pgqueue.Job;
import io.pgqueue.JobProgress;
import io.pgqueue.Schedules;
import io.pgqueue.Windows;
import io.pgqueue.admin.Explanation;
import io.pgqueue.admin.FlowAdmin;
import io.pgqueue.admin.JobAdmin;
import io.pgqueue.admin.QueueOverview;
import io.pgqueue.autoconfigure.endpoint.JobReports.BatchReport;
import io.pgqueue.autoconfigure.endpoint.JobReports.ExplanationReport;
import io.pgqueue.autoconfigure.endpoint.JobReports.FailureReport;
import io.pgqueue.autoconfigure.endpoint.JobReports.FlowReport;
import io.pgqueue.autoconfigure.endpoint.JobReports.JobReport;
import io.pgqueue.autoconfigure.endpoint.Reports.LimitReport;
import io.pgqueue.autoconfigure.endpoint.Reports.Overview;
import io.pgqueue.autoconfigure.endpoint.JobReports.ProgressReport;
import io.pgqueue.autoconfigure.endpoint.Reports.QueueReport;
import io.pgqueue.autoconfigure.endpoint.Reports.ScheduleReport;
import io.pgqueue.autoconfigure.endpoint.Reports.WindowReport;
import io.pgqueue.store.JobStore;
import io.pgqueue.store.Pause;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.SanitizableData;
import org.springframework.boot.actuate.endpoint.Sanitizer;

/** Reads what the endpoint shows, and hides what it is not to show. */
final class QueueReader {

	private static final int RECENT = 20;

	private static final int LONGEST_LINE = 300;

	/** Longer payloads and results are cut. */
	private static final int LONGEST_TEXT = 1024 * 1024;

	private final JobAdmin admin;

	private final FlowAdmin flows;

	private final QueueOverview overview;

	private final JobStore jobs;

	private final Schedules schedules;

	private final Windows windows;

	private final Sanitizer sanitizer;

	QueueReader(JobAdmin admin, FlowAdmin flows, QueueOverview overview, JobStore jobs, Schedules schedules,
			Windows windows, Sanitizer sanitizer) {
		this.admin = admin;
		this.flows = flows;
		this.overview = overview;
		this.jobs = jobs;
		this.schedules = schedules;
		this.windows = windows;
		this.sanitizer = sanitizer;
	}

	Overview overview() {
		Map<String, Map<String, Long>> counts = new TreeMap<>();
		this.overview.jobs()
			.forEach((count) -> counts.computeIfAbsent(count.queue(), (queue) -> new TreeMap<>())
				.put(count.state(), count.jobs()));
		Map<String, Pause> paused = new TreeMap<>();
		List<Pause> types = new ArrayList<>();
		for (Pause pause : this.admin.pauses()) {
			if (pause.kind().equals(Pause.TYPE)) {
				types.add(pause);
			}
			else {
				paused.put(pause.name(), pause);
				counts.putIfAbsent(pause.name(), Map.of());
			}
		}
		Map<String, QueueReport> queues = new LinkedHashMap<>();
		counts.forEach((queue, jobs) -> queues.put(queue, new QueueReport(jobs, paused.get(queue))));
		List<FailureReport> failures = this.overview.failures(RECENT)
			.stream()
			.map((each) -> new FailureReport(each.jobId(), each.queue(), each.type(), each.state(), each.attempt(),
					null, each.failedAt(), each.workerId(), firstLine(each.error())))
			.toList();
		return new Overview(queues, types, this.overview.workers(), this.overview.lanes(),
				this.overview.running(RECENT), failures,
				this.schedules.list().stream().map(ScheduleReport::of).toList(),
				this.windows.list().stream().map(WindowReport::of).toList(),
				this.jobs.limits().list().stream().map(LimitReport::of).toList(), this.flows.unfinished(RECENT),
				this.flows.unfinishedBatches(RECENT)
					.stream()
					.map((batch) -> new BatchReport(batch, batch.pending()))
					.toList());
	}

	/** One job; {@code null}: there is none. */
	@Nullable JobReport job(long id, boolean show) {
		return this.jobs.findCommitted(id, show ? LONGEST_TEXT : 0).map((job) -> report(job, show)).orElse(null);
	}

	/** One flow with its jobs; {@code null}: there is none. */
	@Nullable FlowReport flow(long id) {
		return this.flows.find(id).map((flow) -> new FlowReport(flow, this.flows.steps(id))).orElse(null);
	}

	/** One batch; {@code null}: there is none. */
	@Nullable BatchReport batch(long id) {
		return this.jobs.batches().find(id).map((batch) -> new BatchReport(batch, batch.pending())).orElse(null);
	}

	private JobReport report(Job job, boolean show) {
		List<FailureReport> failures = this.admin.failures(job.id())
			.stream()
			.map((attempt) -> report(job, attempt, show))
			.toList();
		return new JobReport(job.id(), job.state().label(), report(this.admin.explain(job.id())), job.queue(),
				job.type(), job.priority(), job.attempt(), job.maxAttempts(), job.createdAt(), job.runAt(),
				job.startedAt(), job.finishedAt(), progress(job.progress()),
				sanitize("queue.job.unique-key", job.uniqueKey(), show),
				sanitize("queue.job.payload", job.payload(), show), sanitize("queue.job.result", job.result(), show),
				failures, this.admin.steps(job.id()));
	}

	private FailureReport report(Job job, FailedAttempt attempt, boolean show) {
		return new FailureReport(job.id(), job.queue(), job.type(), job.state().label(), attempt.attempt(),
				attempt.startedAt(), attempt.failedAt(), attempt.workerId(), error(attempt.error(), show));
	}

	private static ExplanationReport report(Explanation explanation) {
		Map<String, Object> facts = new LinkedHashMap<>(explanation.facts());
		facts.computeIfPresent("lastError", (name, error) -> firstLine(error.toString()));
		return new ExplanationReport(explanation.verdict(), explanation.summary(), explanation.estimate(), facts,
				explanation.then());
	}

	private static @Nullable ProgressReport progress(@Nullable JobProgress progress) {
		return (progress == null) ? null
				: new ProgressReport(progress.done(), progress.total(), progress.message(), progress.at());
	}

	private @Nullable Object sanitize(String key, @Nullable String value, boolean show) {
		return (value == null) ? null : this.sanitizer.sanitize(new SanitizableData(null, key, value), show);
	}

	/** Class and message tell what to do; a stack trace says more than that. */
	private static String error(String error, boolean show) {
		return show ? error : firstLine(error);
	}

	private static String firstLine(String error) {
		String line = error.lines().findFirst().orElse("");
		return line.substring(0, Math.min(line.length(), LONGEST_LINE));
	}

}
