package io.pgqueue.autoconfigure.endpoint;

import java.util.List;

import io.pgqueue.FailedAttempt;
import io.pgqueue.Job;
import io.pgqueue.admin.Explanation;
import io.pgqueue.admin.FailureView;
import io.pgqueue.admin.JobCount;
import io.pgqueue.admin.JobLogLine;
import io.pgqueue.admin.JobWait;
import io.pgqueue.admin.LaneView;
import io.pgqueue.admin.Pause;
import io.pgqueue.admin.RecordedStep;
import io.pgqueue.admin.RunningView;
import io.pgqueue.admin.WorkerView;
import io.pgqueue.flow.BatchProgress;
import io.pgqueue.flow.FlowJobView;
import io.pgqueue.flow.FlowView;
import io.pgqueue.limit.LimitView;
import io.pgqueue.schedule.ScheduleStatus;
import io.pgqueue.window.WindowStatus;

/** Texts that were read from the database, before they are masked. */
final class Findings {

	private Findings() {
	}

	/** The texts of the overview. */
	record OverviewFindings(List<JobCount> jobs, List<Pause> pauses, List<WorkerView> workers, List<LaneView> lanes,
			List<RunningView> running, List<FailureView> failures, List<ScheduleStatus> schedules,
			List<WindowStatus> windows, List<LimitView> limits, List<FlowView> flows, List<BatchProgress> batches) {
	}

	/** The texts of a job; its explanation is already masked. */
	record JobFindings(Job job, Explanation explanation, List<FailedAttempt> failures, List<RecordedStep> steps,
			List<JobWait> waits, List<JobLogLine> log) {
	}

	/** The texts of a flow. */
	record FlowFindings(FlowView flow, List<FlowJobView> jobs) {
	}

}
