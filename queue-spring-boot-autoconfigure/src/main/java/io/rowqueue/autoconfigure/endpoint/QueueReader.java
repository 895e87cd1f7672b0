package io.rowqueue.autoconfigure.endpoint;

import io.rowqueue.Job;
import io.rowqueue.admin.FlowAdmin;
import io.rowqueue.admin.JobAdmin;
import io.rowqueue.admin.JobPage;
import io.rowqueue.admin.JobSearch;
import io.rowqueue.admin.QueueOverview;
import io.rowqueue.admin.operation.Operations;
import io.rowqueue.admin.operation.RecordedOperation;
import io.rowqueue.autoconfigure.endpoint.Findings.FlowFindings;
import io.rowqueue.autoconfigure.endpoint.Findings.JobFindings;
import io.rowqueue.autoconfigure.endpoint.Findings.OverviewFindings;
import io.rowqueue.autoconfigure.endpoint.JobReports.BatchReport;
import io.rowqueue.autoconfigure.endpoint.JobReports.FlowReport;
import io.rowqueue.autoconfigure.endpoint.JobReports.JobReport;
import io.rowqueue.autoconfigure.endpoint.Reports.Overview;
import io.rowqueue.autoconfigure.endpoint.Reports.ScheduleDetailReport;
import io.rowqueue.engine.job.BatchStore;
import io.rowqueue.engine.job.JobStore;
import io.rowqueue.limit.JobLimits;
import io.rowqueue.masking.TextMasker;
import io.rowqueue.schedule.Schedules;
import io.rowqueue.window.Windows;
import org.jspecify.annotations.Nullable;

/** Reads the data that the endpoint shows. */
final class QueueReader {

	private static final int RECENT = 20;

	/** Longer payloads and results are truncated. */
	private static final int LONGEST_TEXT = 1024 * 1024;

	/** The maximum number of jobs on a page. */
	private static final int PAGE = 100;

	private final JobAdmin admin;

	private final FlowAdmin flows;

	private final QueueOverview overview;

	private final JobSearch search;

	private final JobStore jobs;

	private final JobLimits limits;

	private final BatchStore batches;

	private final Schedules schedules;

	private final Windows windows;

	private final Operations operations;

	QueueReader(JobAdmin admin, FlowAdmin flows, QueueOverview overview, JobSearch search, JobStore jobs,
			JobLimits limits, BatchStore batches, Schedules schedules, Windows windows, Operations operations) {
		this.admin = admin;
		this.flows = flows;
		this.overview = overview;
		this.search = search;
		this.jobs = jobs;
		this.limits = limits;
		this.batches = batches;
		this.schedules = schedules;
		this.windows = windows;
		this.operations = operations;
	}

	Overview overview(TextMasker masker) {
		return new ReportWriter(masker).overview(new OverviewFindings(this.overview.jobs(), this.admin.pauses(),
				this.overview.workers(), this.overview.lanes(), this.overview.running(RECENT),
				this.overview.failures(RECENT), this.schedules.list(), this.windows.list(), this.limits.list(),
				this.flows.unfinished(RECENT), this.flows.unfinishedBatches(RECENT)));
	}

	/** Returns jobs, live or finished. */
	JobPage jobs(JobListRequest request, boolean show, TextMasker masker) {
		try {
			return new ReportWriter(masker).jobs(this.search.find(request.jobs(show), request.cursor(), PAGE));
		}
		catch (IllegalArgumentException ex) {
			throw InvalidRequest.because(String.valueOf(ex.getMessage()), ex);
		}
	}

	/** Returns a job, or {@code null} if there is none. */
	@Nullable JobReport job(long id, boolean show, TextMasker masker) {
		return this.jobs.findCommitted(id, show ? LONGEST_TEXT : 0).map((job) -> report(job, masker)).orElse(null);
	}

	private JobReport report(Job job, TextMasker masker) {
		return new ReportWriter(masker)
			.job(new JobFindings(job, this.admin.explain(job.id(), masker), this.admin.failures(job.id()),
					this.admin.steps(job.id()), this.admin.waits(job.id()), this.admin.log(job.id())));
	}

	/** Returns a flow with its jobs, or {@code null} if there is none. */
	@Nullable FlowReport flow(long id, TextMasker masker) {
		return this.flows.find(id)
			.map((flow) -> new ReportWriter(masker).flow(new FlowFindings(flow, this.flows.jobs(id))))
			.orElse(null);
	}

	/** Returns a recurring job with its latest runs, or {@code null} if there is none. */
	@Nullable ScheduleDetailReport schedule(String name, TextMasker masker) {
		return this.schedules.find(name)
			.map((schedule) -> new ReportWriter(masker).schedule(schedule, this.schedules.runs(name, PAGE)))
			.orElse(null);
	}

	/** Returns an operation, or {@code null} if there is none. */
	@Nullable RecordedOperation operation(long id, TextMasker masker) {
		return this.operations.find(id).map(new ReportWriter(masker)::operation).orElse(null);
	}

	/** Returns a batch, or {@code null} if there is none. */
	@Nullable BatchReport batch(long id, TextMasker masker) {
		return this.batches.find(id).map(new ReportWriter(masker)::batch).orElse(null);
	}

}
