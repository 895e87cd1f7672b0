package io.pgqueue.autoconfigure.endpoint;

import java.util.List;

import io.pgqueue.BatchProgress;
import io.pgqueue.FailedAttempt;
import io.pgqueue.Job;
import io.pgqueue.ScheduleStatus;
import io.pgqueue.WindowStatus;
import io.pgqueue.admin.Explanation;
import io.pgqueue.store.FailureView;
import io.pgqueue.store.FlowView;
import io.pgqueue.store.JobCount;
import io.pgqueue.store.LaneView;
import io.pgqueue.store.LimitView;
import io.pgqueue.store.Pause;
import io.pgqueue.store.RecordedStep;
import io.pgqueue.store.RunningView;
import io.pgqueue.store.StepView;
import io.pgqueue.store.WorkerView;

/** What was read from the database, before anything of it is masked. */
final class Findings {

	private Findings() {
	}

	/** All of the overview. */
	record OverviewFindings(List<JobCount> jobs, List<Pause> pauses, List<WorkerView> workers, List<LaneView> lanes,
			List<RunningView> running, List<FailureView> failures, List<ScheduleStatus> schedules,
			List<WindowStatus> windows, List<LimitView> limits, List<FlowView> flows, List<BatchProgress> batches) {
	}

	/** All of a job; the explanation is masked where it is made. */
	record JobFindings(Job job, Explanation explanation, List<FailedAttempt> failures, List<RecordedStep> steps) {
	}

	/** All of a flow. */
	record FlowFindings(FlowView flow, List<StepView> steps) {
	}

}
