package io.pgqueue.autoconfigure.endpoint;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;

import io.pgqueue.Job;
import io.pgqueue.JobState;
import io.pgqueue.admin.JobAdmin;
import io.pgqueue.admin.JobPage;
import io.pgqueue.admin.QueueOverview;
import io.pgqueue.admin.TextMasker;
import io.pgqueue.autoconfigure.endpoint.Findings.FlowFindings;
import io.pgqueue.autoconfigure.endpoint.Findings.JobFindings;
import io.pgqueue.autoconfigure.endpoint.Findings.OverviewFindings;
import io.pgqueue.autoconfigure.endpoint.JobReports.BatchReport;
import io.pgqueue.autoconfigure.endpoint.JobReports.FlowReport;
import io.pgqueue.autoconfigure.endpoint.JobReports.JobReport;
import io.pgqueue.autoconfigure.endpoint.Reports.Overview;
import io.pgqueue.engine.flow.BatchStore;
import io.pgqueue.engine.job.JobStore;
import io.pgqueue.flow.FlowAdmin;
import io.pgqueue.limit.JobLimits;
import io.pgqueue.schedule.Schedules;
import io.pgqueue.window.Windows;
import org.jspecify.annotations.Nullable;

/** Reads what the endpoint shows. */
final class QueueReader {

	private static final int RECENT = 20;

	/** Longer payloads and results are cut. */
	private static final int LONGEST_TEXT = 1024 * 1024;

	private static final Set<JobState> LISTED = Collections.unmodifiableSet(EnumSet.of(JobState.BLOCKED,
			JobState.SCHEDULED, JobState.QUEUED, JobState.STARTING, JobState.RUNNING, JobState.FAILED));

	private final JobAdmin admin;

	private final FlowAdmin flows;

	private final QueueOverview overview;

	private final JobStore jobs;

	private final JobLimits limits;

	private final BatchStore batches;

	private final Schedules schedules;

	private final Windows windows;

	QueueReader(JobAdmin admin, FlowAdmin flows, QueueOverview overview, JobStore jobs, JobLimits limits,
			BatchStore batches, Schedules schedules, Windows windows) {
		this.admin = admin;
		this.flows = flows;
		this.overview = overview;
		this.jobs = jobs;
		this.limits = limits;
		this.batches = batches;
		this.schedules = schedules;
		this.windows = windows;
	}

	Overview overview(TextMasker masker) {
		return new ReportWriter(masker).overview(new OverviewFindings(this.overview.jobs(), this.admin.pauses(),
				this.overview.workers(), this.overview.lanes(), this.overview.running(RECENT),
				this.overview.failures(RECENT), this.schedules.list(), this.windows.list(), this.limits.list(),
				this.flows.unfinished(RECENT), this.flows.unfinishedBatches(RECENT)));
	}

	/** Some jobs; all that they show is chosen in code. */
	JobPage jobs(@Nullable String state, @Nullable String queue, @Nullable String type, @Nullable Long before) {
		return this.overview.jobs(state(state), queue, type, (before != null) ? before : Long.MAX_VALUE);
	}

	private static @Nullable JobState state(@Nullable String state) {
		if (state == null) {
			return null;
		}
		return Arrays.stream(JobState.values())
			.filter((each) -> each.label().equals(state) && LISTED.contains(each))
			.findFirst()
			.orElseThrow(() -> InvalidRequest.because("jobs are listed by one of the states "
					+ LISTED.stream().map(JobState::label).collect(Collectors.joining(", ")) + ", not by '" + state
					+ "'"));
	}

	/** One job; {@code null}: there is none. */
	@Nullable JobReport job(long id, boolean show, TextMasker masker) {
		return this.jobs.findCommitted(id, show ? LONGEST_TEXT : 0).map((job) -> report(job, masker)).orElse(null);
	}

	private JobReport report(Job job, TextMasker masker) {
		return new ReportWriter(masker).job(new JobFindings(job, this.admin.explain(job.id(), masker),
				this.admin.failures(job.id()), this.admin.steps(job.id())));
	}

	/** One flow with its jobs; {@code null}: there is none. */
	@Nullable FlowReport flow(long id, TextMasker masker) {
		return this.flows.find(id)
			.map((flow) -> new ReportWriter(masker).flow(new FlowFindings(flow, this.flows.jobs(id))))
			.orElse(null);
	}

	/** One batch; {@code null}: there is none. */
	@Nullable BatchReport batch(long id, TextMasker masker) {
		return this.batches.find(id).map(new ReportWriter(masker)::batch).orElse(null);
	}

}
