package io.rowqueue.autoconfigure.endpoint;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.rowqueue.JobLogLine;
import io.rowqueue.admin.FlowJobView;
import io.rowqueue.admin.FlowView;
import io.rowqueue.admin.Verdict;
import io.rowqueue.flow.BatchProgress;
import io.rowqueue.step.JobWait;
import io.rowqueue.step.RecordedStep;
import org.jspecify.annotations.Nullable;

/** Responses of the endpoint about jobs, flows and batches. */
final class JobReports {

	private JobReports() {
	}

	/**
	 * One failed attempt.
	 *
	 * @param jobId the job
	 * @param queue its queue
	 * @param type its type
	 * @param state the current state of the job
	 * @param attempt the number of the attempt
	 * @param startedAt when it was claimed
	 * @param failedAt when it failed
	 * @param workerId the worker that ran it
	 * @param error the class of the exception, the first line of the error, or all of it
	 */
	record FailureReport(long jobId, @Nullable String queue, @Nullable String type, @Nullable String state, int attempt,
			@Nullable Instant startedAt, Instant failedAt, @Nullable Long workerId, String error) {
	}

	/**
	 * One job.
	 *
	 * @param id the id
	 * @param state its state
	 * @param explanation why it is in this state
	 * @param queue the queue
	 * @param type the type
	 * @param priority its priority; jobs with higher numbers start first
	 * @param attempt the number of attempts that have started
	 * @param maxAttempts the maximum number of attempts, if the job or a live worker of
	 * its type defines it
	 * @param createdAt when it was enqueued
	 * @param runAt when it is or was due
	 * @param startedAt when the latest attempt was claimed
	 * @param finishedAt when it finished
	 * @param progress its progress
	 * @param uniqueKey the unique key, possibly masked
	 * @param payload the payload, possibly masked
	 * @param result the result, possibly masked
	 * @param failures the failed attempts, the oldest first
	 * @param steps the completed steps, the oldest first
	 * @param waits what its handler waits for or has waited for, and signals
	 * @param log the latest lines that its handler has logged, the oldest first
	 */
	record JobReport(long id, @Nullable String state, ExplanationReport explanation, @Nullable String queue,
			@Nullable String type, int priority, int attempt, @Nullable Integer maxAttempts,
			@Nullable Instant createdAt, @Nullable Instant runAt, @Nullable Instant startedAt,
			@Nullable Instant finishedAt, @Nullable ProgressReport progress, @Nullable String uniqueKey,
			@Nullable String payload, @Nullable String result, List<FailureReport> failures, List<RecordedStep> steps,
			List<JobWait> waits, List<JobLogLine> log) {
	}

	/**
	 * Why a job is in its state.
	 *
	 * @param verdict the reason
	 * @param summary the reason in words
	 * @param facts the facts behind the reason
	 * @param then the reasons that will apply afterwards
	 */
	record ExplanationReport(Verdict verdict, String summary, Map<String, Object> facts, List<Verdict> then) {
	}

	/**
	 * The progress of a job.
	 *
	 * @param done the completed amount
	 * @param total the total amount; 0 if unknown
	 * @param message a message of the handler
	 * @param at when the handler reported it
	 */
	record ProgressReport(long done, long total, @Nullable String message, Instant at) {
	}

	/**
	 * One flow.
	 *
	 * @param flow the state of the flow
	 * @param jobs its first thousand jobs
	 */
	record FlowReport(FlowView flow, List<FlowJobView> jobs) {
	}

	/**
	 * One batch.
	 *
	 * @param batch the state of the batch
	 * @param pending the number of its jobs that have not finished
	 */
	record BatchReport(BatchProgress batch, long pending) {
	}

}
