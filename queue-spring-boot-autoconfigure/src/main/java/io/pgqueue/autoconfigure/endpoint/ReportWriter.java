package io.pgqueue.autoconfigure.endpoint;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.pgqueue.FailedAttempt;
import io.pgqueue.Job;
import io.pgqueue.JobProgress;
import io.pgqueue.admin.Explanation;
import io.pgqueue.admin.FailureView;
import io.pgqueue.admin.JobPage;
import io.pgqueue.admin.Pause;
import io.pgqueue.admin.WorkerView;
import io.pgqueue.admin.masking.TextMasker;
import io.pgqueue.admin.operation.RecordedOperation;
import io.pgqueue.autoconfigure.endpoint.Findings.FlowFindings;
import io.pgqueue.autoconfigure.endpoint.Findings.JobFindings;
import io.pgqueue.autoconfigure.endpoint.Findings.OverviewFindings;
import io.pgqueue.autoconfigure.endpoint.JobReports.BatchReport;
import io.pgqueue.autoconfigure.endpoint.JobReports.EstimateReport;
import io.pgqueue.autoconfigure.endpoint.JobReports.ExplanationReport;
import io.pgqueue.autoconfigure.endpoint.JobReports.FailureReport;
import io.pgqueue.autoconfigure.endpoint.JobReports.FlowReport;
import io.pgqueue.autoconfigure.endpoint.JobReports.JobReport;
import io.pgqueue.autoconfigure.endpoint.JobReports.ProgressReport;
import io.pgqueue.autoconfigure.endpoint.Reports.LimitReport;
import io.pgqueue.autoconfigure.endpoint.Reports.Overview;
import io.pgqueue.autoconfigure.endpoint.Reports.QueueReport;
import io.pgqueue.autoconfigure.endpoint.Reports.RunReport;
import io.pgqueue.autoconfigure.endpoint.Reports.ScheduleDetailReport;
import io.pgqueue.autoconfigure.endpoint.Reports.ScheduleReport;
import io.pgqueue.autoconfigure.endpoint.Reports.WindowReport;
import io.pgqueue.engine.admin.MaskedViews;
import io.pgqueue.engine.support.ErrorText;
import io.pgqueue.flow.BatchProgress;
import io.pgqueue.schedule.Backfill;
import io.pgqueue.schedule.ScheduleStatus;
import io.pgqueue.schedule.ScheduledRun;
import org.jspecify.annotations.Nullable;

/** Creates the responses of the endpoint, masked for the caller. */
final class ReportWriter {

	/** Of an error in a list of errors. */
	private static final int LONGEST_LINE = 300;

	private final MaskedViews masked;

	private final TextMasker masker;

	ReportWriter(TextMasker masker) {
		this.masked = new MaskedViews(masker);
		this.masker = masker;
	}

	JobPage jobs(JobPage found) {
		return this.masked.of(found);
	}

	Overview overview(OverviewFindings found) {
		Map<String, Map<String, Long>> counts = new TreeMap<>();
		found.jobs()
			.forEach((count) -> counts.computeIfAbsent(count.queue(), (queue) -> new TreeMap<>())
				.put(count.state(), count.jobs()));
		Map<String, Pause> paused = new TreeMap<>();
		List<Pause> types = new ArrayList<>();
		for (Pause pause : found.pauses()) {
			if (pause.kind().equals(Pause.TYPE)) {
				types.add(this.masked.of(pause));
			}
			else {
				paused.put(pause.name(), this.masked.of(pause));
				counts.putIfAbsent(pause.name(), Map.of());
			}
		}
		Map<String, QueueReport> queues = new LinkedHashMap<>();
		counts.forEach((queue, jobs) -> queues.put(queue, new QueueReport(jobs, paused.get(queue))));
		return new Overview(queues, types, workers(found, false), workers(found, true), found.lanes(), found.running(),
				found.failures().stream().map(this::failure).toList(),
				found.schedules().stream().map(this.masked::of).map(ScheduleReport::of).toList(),
				found.windows().stream().map(WindowReport::of).toList(),
				found.limits().stream().map(LimitReport::of).toList(),
				found.flows().stream().map(this.masked::of).toList(),
				found.batches().stream().map(this::batch).toList());
	}

	private static List<WorkerView> workers(OverviewFindings found, boolean dead) {
		return found.workers().stream().filter((worker) -> (worker.deadAt() != null) == dead).toList();
	}

	JobReport job(JobFindings found) {
		Job job = this.masked.of(found.job());
		return new JobReport(job.id(), job.state().label(), explanation(found.explanation()), job.queue(), job.type(),
				job.priority(), job.attempt(), job.maxAttempts(), job.createdAt(), job.runAt(), job.startedAt(),
				job.finishedAt(), progress(job.progress()), job.uniqueKey(), job.payload(), job.result(),
				found.failures().stream().map((attempt) -> failure(job, attempt)).toList(),
				found.steps().stream().map(this.masked::of).toList(),
				found.waits().stream().map(this.masked::of).toList(),
				found.log().stream().map(this.masked::of).toList());
	}

	FlowReport flow(FlowFindings found) {
		return new FlowReport(this.masked.of(found.flow()), found.jobs().stream().map(this.masked::of).toList());
	}

	BatchReport batch(BatchProgress batch) {
		return new BatchReport(this.masked.of(batch), batch.pending());
	}

	ScheduleDetailReport schedule(ScheduleStatus schedule, List<ScheduledRun> runs, @Nullable Backfill backfill) {
		return new ScheduleDetailReport(ScheduleReport.of(this.masked.of(schedule)),
				runs.stream().map(RunReport::of).toList(), backfill);
	}

	RecordedOperation operation(RecordedOperation operation) {
		return operation.masked(this.masker);
	}

	private FailureReport failure(FailureView found) {
		FailureView failure = this.masked.of(found);
		return new FailureReport(failure.jobId(), failure.queue(), failure.type(), failure.state(), failure.attempt(),
				failure.startedAt(), failure.failedAt(), failure.workerId(),
				ErrorText.firstLine(failure.error(), LONGEST_LINE));
	}

	private FailureReport failure(Job job, FailedAttempt found) {
		FailedAttempt attempt = this.masked.of(found);
		return new FailureReport(job.id(), job.queue(), job.type(), job.state().label(), attempt.attempt(),
				attempt.startedAt(), attempt.failedAt(), attempt.workerId(), attempt.error());
	}

	private static ExplanationReport explanation(Explanation explanation) {
		Map<String, Object> facts = new LinkedHashMap<>(explanation.facts());
		facts.computeIfPresent("lastError", (name, error) -> ErrorText.firstLine(error.toString(), LONGEST_LINE));
		return new ExplanationReport(explanation.verdict(), explanation.summary(),
				EstimateReport.of(explanation.estimate()), facts, explanation.then());
	}

	private static @Nullable ProgressReport progress(@Nullable JobProgress progress) {
		return (progress == null) ? null
				: new ProgressReport(progress.done(), progress.total(), progress.message(), progress.at());
	}

}
