package io.rowqueue.engine.admin;

import io.rowqueue.Job;
import io.rowqueue.JobLogLine;
import io.rowqueue.JobProgress;
import io.rowqueue.admin.FailedAttempt;
import io.rowqueue.admin.FailureView;
import io.rowqueue.admin.FlowJobView;
import io.rowqueue.admin.FlowView;
import io.rowqueue.admin.JobPage;
import io.rowqueue.admin.JobView;
import io.rowqueue.control.Pause;
import io.rowqueue.flow.BatchProgress;
import io.rowqueue.masking.SensitiveText;
import io.rowqueue.masking.TextMasker;
import io.rowqueue.step.JobWait;
import io.rowqueue.step.RecordedStep;
import org.jspecify.annotations.Nullable;

/**
 * Masks all data of the queue that is shown to a reader, in the same way for all
 * consumers.
 *
 * @since 0.1.0
 */
public final class MaskedViews {

	private final TextMasker masker;

	/**
	 * Creates the views for a reader.
	 * @param masker decides what the reader may see
	 */
	public MaskedViews(TextMasker masker) {
		this.masker = masker;
	}

	/** Masks a job. */
	public Job of(Job job) {
		return new Job(job.id(), job.type(), job.queue(), job.state(), job.priority(), job.attempt(), job.maxAttempts(),
				job.runAt(), job.createdAt(), job.startedAt(), job.finishedAt(),
				mask(SensitiveText.UNIQUE_KEY, job.uniqueKey()), mask(SensitiveText.ERROR, job.lastError()),
				mask(SensitiveText.PAYLOAD, job.payload()), mask(SensitiveText.RESULT, job.result()),
				of(job.progress()));
	}

	/** Masks the jobs of a list. */
	public JobPage of(JobPage page) {
		return new JobPage(page.jobs().stream().map(this::of).toList(), page.next(), page.searched());
	}

	/** Masks a job of a list. */
	public JobView of(JobView job) {
		return new JobView(job.id(), job.queue(), job.type(), job.state(), job.priority(), job.attempt(),
				job.maxAttempts(), job.createdAt(), job.runAt(), job.startedAt(), job.finishedAt(), job.workerId(),
				job.cancelRequested(), job.batchId(), mask(SensitiveText.UNIQUE_KEY, job.uniqueKey()),
				mask(SensitiveText.LIMIT_KEY, job.limitKey()), mask(SensitiveText.ERROR, job.error()),
				mask(SensitiveText.PAYLOAD, job.payload()));
	}

	private @Nullable JobProgress of(@Nullable JobProgress progress) {
		return (progress == null) ? null : new JobProgress(progress.done(), progress.total(),
				mask(SensitiveText.PROGRESS, progress.message()), progress.at());
	}

	/** Masks a failed attempt. */
	public FailedAttempt of(FailedAttempt attempt) {
		return new FailedAttempt(attempt.attempt(), attempt.startedAt(), attempt.failedAt(), attempt.workerId(),
				this.masker.mask(SensitiveText.ERROR, attempt.error()));
	}

	/** Masks a failed attempt. */
	public FailureView of(FailureView failure) {
		return new FailureView(failure.jobId(), failure.queue(), failure.type(), failure.state(), failure.attempt(),
				failure.startedAt(), failure.failedAt(), failure.workerId(),
				this.masker.mask(SensitiveText.ERROR, failure.error()));
	}

	/** Masks a step of a handler. */
	public RecordedStep of(RecordedStep step) {
		return new RecordedStep(this.masker.mask(SensitiveText.STEP, step.name()), step.lease(), step.finishedAt());
	}

	/** Masks a line of the log of a job. */
	public JobLogLine of(JobLogLine line) {
		return new JobLogLine(line.attempt(), line.lease(), line.at(), line.level(),
				this.masker.mask(SensitiveText.LOG, line.text()));
	}

	/** Masks a wait of a handler. */
	public JobWait of(JobWait wait) {
		return new JobWait(wait.kind(), this.masker.mask(SensitiveText.STEP, wait.name()), wait.state(), wait.beganAt(),
				wait.until(), wait.sentAt());
	}

	/** Masks a job of a flow. */
	public FlowJobView of(FlowJobView job) {
		return new FlowJobView(this.masker.mask(SensitiveText.FLOW_JOB, job.name()), job.jobId(), job.type(),
				job.state(), job.endedAt(),
				job.after().stream().map((name) -> this.masker.mask(SensitiveText.FLOW_JOB, name)).toList(),
				job.addedBy());
	}

	/** Masks a flow. */
	public FlowView of(FlowView flow) {
		return new FlowView(flow.id(), this.masker.mask(SensitiveText.FLOW, flow.name()), flow.state(),
				flow.createdAt(), flow.endedAt(), flow.jobs(), flow.open(), flow.succeeded(), flow.failed(),
				flow.cancelled());
	}

	/** Masks a batch. */
	public BatchProgress of(BatchProgress batch) {
		return new BatchProgress(batch.id(), this.masker.mask(SensitiveText.BATCH, batch.name()), batch.createdAt(),
				batch.closedAt(), batch.finishedAt(), batch.total(), batch.succeeded(), batch.failed(),
				batch.cancelled());
	}

	/** Masks the reason for a pause. */
	public Pause of(Pause pause) {
		return new Pause(pause.kind(), pause.name(), pause.pausedAt(), mask(SensitiveText.PAUSE_REASON, pause.reason()),
				pause.window(), pause.opensAt());
	}

	private @Nullable String mask(SensitiveText kind, @Nullable String text) {
		return this.masker.maskIfPresent(kind, text);
	}

}
