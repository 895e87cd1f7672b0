package io.rowqueue.autoconfigure.endpoint;

import java.util.List;

import io.rowqueue.Job;
import io.rowqueue.JobLogLine;
import io.rowqueue.admin.Explanation;
import io.rowqueue.admin.FailedAttempt;
import io.rowqueue.admin.FailureView;
import io.rowqueue.admin.FlowJobView;
import io.rowqueue.admin.FlowView;
import io.rowqueue.admin.JobCount;
import io.rowqueue.admin.LaneView;
import io.rowqueue.admin.RunningView;
import io.rowqueue.admin.WorkerView;
import io.rowqueue.control.Pause;
import io.rowqueue.flow.BatchProgress;
import io.rowqueue.limit.LimitView;
import io.rowqueue.schedule.ScheduleStatus;
import io.rowqueue.step.JobWait;
import io.rowqueue.step.RecordedStep;
import io.rowqueue.window.WindowStatus;

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
