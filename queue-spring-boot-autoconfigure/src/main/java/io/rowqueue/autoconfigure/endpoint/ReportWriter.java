package io.rowqueue.autoconfigure.endpoint;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.rowqueue.Job;
import io.rowqueue.JobProgress;
import io.rowqueue.admin.Explanation;
import io.rowqueue.admin.FailedAttempt;
import io.rowqueue.admin.FailureView;
import io.rowqueue.admin.JobPage;
import io.rowqueue.admin.WorkerView;
import io.rowqueue.admin.operation.RecordedOperation;
import io.rowqueue.autoconfigure.endpoint.Findings.FlowFindings;
import io.rowqueue.autoconfigure.endpoint.Findings.JobFindings;
import io.rowqueue.autoconfigure.endpoint.Findings.OverviewFindings;
import io.rowqueue.autoconfigure.endpoint.JobReports.BatchReport;
import io.rowqueue.autoconfigure.endpoint.JobReports.ExplanationReport;
import io.rowqueue.autoconfigure.endpoint.JobReports.FailureReport;
import io.rowqueue.autoconfigure.endpoint.JobReports.FlowReport;
import io.rowqueue.autoconfigure.endpoint.JobReports.JobReport;
import io.rowqueue.autoconfigure.endpoint.JobReports.ProgressReport;
import io.rowqueue.autoconfigure.endpoint.Reports.LimitReport;
import io.rowqueue.autoconfigure.endpoint.Reports.Overview;
import io.rowqueue.autoconfigure.endpoint.Reports.QueueReport;
import io.rowqueue.autoconfigure.endpoint.Reports.RunReport;
import io.rowqueue.autoconfigure.endpoint.Reports.ScheduleDetailReport;
import io.rowqueue.autoconfigure.endpoint.Reports.ScheduleReport;
import io.rowqueue.autoconfigure.endpoint.Reports.WindowReport;
import io.rowqueue.control.Pause;
import io.rowqueue.engine.admin.MaskedViews;
import io.rowqueue.engine.support.ErrorText;
import io.rowqueue.engine.support.QueueClass;
import io.rowqueue.flow.BatchProgress;
import io.rowqueue.masking.SensitiveText;
import io.rowqueue.masking.TextMasker;
import io.rowqueue.schedule.ScheduleStatus;
import io.rowqueue.schedule.ScheduledRun;
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
		Map<@Nullable String, Pause> paused = new HashMap<>();
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
		counts.forEach((queue, jobs) -> queues.put(queue,
				new QueueReport(jobs, paused.getOrDefault(queue, paused.get(QueueClass.of(queue))))));
		return new Overview(queues, types, workers(found, false), workers(found, true), found.lanes(), found.running(),
				found.failures().stream().map(this::failure).toList(),
				found.schedules().stream().map(this::masked).map(ScheduleReport::of).toList(),
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

	ScheduleDetailReport schedule(ScheduleStatus schedule, List<ScheduledRun> runs) {
		return new ScheduleDetailReport(ScheduleReport.of(masked(schedule)), runs.stream().map(RunReport::of).toList());
	}

	private ScheduleStatus masked(ScheduleStatus schedule) {
		return new ScheduleStatus(schedule.name(), schedule.state(), schedule.occurrences(), schedule.type(),
				schedule.queue(), schedule.priority(), schedule.tolerance(), schedule.maxAttempts(),
				this.masker.maskIfPresent(SensitiveText.LIMIT_KEY, schedule.limitKey()),
				this.masker.maskIfPresent(SensitiveText.PAYLOAD, schedule.payload()), schedule.missed(),
				schedule.overlap(), schedule.jitter(), schedule.source(), schedule.nextRunAt(), schedule.lastDueAt(),
				schedule.lastRunAt(), schedule.lastJobId(), schedule.lastSkippedAt(), schedule.pausedAt(),
				this.masker.maskIfPresent(SensitiveText.PAUSE_REASON, schedule.pauseReason()), schedule.undeclaredAt());
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
		return new ExplanationReport(explanation.verdict(), explanation.summary(), facts, explanation.then());
	}

	private static @Nullable ProgressReport progress(@Nullable JobProgress progress) {
		return (progress == null) ? null
				: new ProgressReport(progress.done(), progress.total(), progress.message(), progress.at());
	}

}
