package io.pgqueue.autoconfigure.endpoint;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.pgqueue.admin.RecordedStep;
import io.pgqueue.admin.Verdict;
import io.pgqueue.flow.BatchProgress;
import io.pgqueue.flow.FlowJobView;
import io.pgqueue.flow.FlowView;
import org.jspecify.annotations.Nullable;

/** What the endpoint answers about jobs, flows and batches. */
final class JobReports {

	private JobReports() {
	}

	/**
	 * One failed attempt.
	 *
	 * @param jobId the job
	 * @param queue its queue
	 * @param type its type
	 * @param state where the job is now
	 * @param attempt the number of the attempt
	 * @param startedAt when it was claimed
	 * @param failedAt when it failed
	 * @param workerId who ran it
	 * @param error what everybody may see of it, its first line, or all of it
	 */
	record FailureReport(long jobId, @Nullable String queue, @Nullable String type, @Nullable String state, int attempt,
			@Nullable Instant startedAt, Instant failedAt, @Nullable Long workerId, String error) {
	}

	/**
	 * One job.
	 *
	 * @param id the id
	 * @param state where it is
	 * @param explanation why
	 * @param queue the queue
	 * @param type the type
	 * @param priority a bigger number goes first
	 * @param attempt how many attempts have begun
	 * @param maxAttempts how many there are at most, if it or a live worker of its type
	 * says so
	 * @param createdAt when it was enqueued
	 * @param runAt when it is or was due
	 * @param startedAt when the latest attempt was claimed
	 * @param finishedAt when it ended
	 * @param progress how far it is
	 * @param uniqueKey the unique key, maybe masked
	 * @param payload the payload, maybe masked
	 * @param result the result, maybe masked
	 * @param failures the attempts that failed, the first one first
	 * @param steps the steps that are done, the first one first
	 */
	record JobReport(long id, @Nullable String state, ExplanationReport explanation, @Nullable String queue,
			@Nullable String type, int priority, int attempt, @Nullable Integer maxAttempts,
			@Nullable Instant createdAt, @Nullable Instant runAt, @Nullable Instant startedAt,
			@Nullable Instant finishedAt, @Nullable ProgressReport progress, @Nullable String uniqueKey,
			@Nullable String payload, @Nullable String result, List<FailureReport> failures, List<RecordedStep> steps) {
	}

	/**
	 * Why a job is where it is.
	 *
	 * @param verdict the reason
	 * @param summary the same in words
	 * @param estimate how long it takes until a worker has it
	 * @param facts what it follows from
	 * @param then what is in its way afterwards
	 */
	record ExplanationReport(Verdict verdict, String summary, @Nullable Duration estimate, Map<String, Object> facts,
			List<Verdict> then) {
	}

	/**
	 * How far a job is.
	 *
	 * @param done how much is done
	 * @param total how much there is to do; 0: not known
	 * @param message for people
	 * @param at when the handler told
	 */
	record ProgressReport(long done, long total, @Nullable String message, Instant at) {
	}

	/**
	 * One flow.
	 *
	 * @param flow how it is getting on
	 * @param jobs its jobs, the first thousand
	 */
	record FlowReport(FlowView flow, List<FlowJobView> jobs) {
	}

	/**
	 * One batch.
	 *
	 * @param batch how it is getting on
	 * @param pending how many of its jobs are not over
	 */
	record BatchReport(BatchProgress batch, long pending) {
	}

}
