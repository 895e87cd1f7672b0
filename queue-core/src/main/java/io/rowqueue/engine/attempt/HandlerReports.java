package io.rowqueue.engine.attempt;

import io.rowqueue.masking.SensitiveText;
import io.rowqueue.masking.StoredTextMasker;
import io.rowqueue.engine.lease.LogPart;
import io.rowqueue.engine.lease.ProgressReport;
import org.jspecify.annotations.Nullable;

/**
 * What the handler of an attempt reports while it runs: progress and log lines, and how
 * they are masked. A handler that reports nothing has no costs.
 */
final class HandlerReports {

	private final ActiveJob job;

	private volatile StoredTextMasker masker = StoredTextMasker.NONE;

	private volatile @Nullable ReportedProgress progress;

	private volatile @Nullable AttemptLog log;

	HandlerReports(ActiveJob job) {
		this.job = job;
	}

	/** From now on, texts are masked before they are stored. */
	void maskWith(StoredTextMasker masker) {
		this.masker = masker;
	}

	String mask(SensitiveText kind, String text) {
		return this.masker.mask(kind, text);
	}

	void progress(long done, long total, @Nullable String message) {
		String masked = (message != null) ? mask(SensitiveText.PROGRESS, message) : null;
		begunProgress().report(done, total, masked);
	}

	private synchronized ReportedProgress begunProgress() {
		ReportedProgress known = this.progress;
		if (known == null) {
			known = new ReportedProgress(this.job.job().lease());
			this.progress = known;
		}
		return known;
	}

	/** The progress to write, or {@code null} if there is nothing new. */
	@Nullable ProgressReport unwrittenProgress() {
		ReportedProgress known = this.progress;
		return (known != null) ? known.unwritten() : null;
	}

	void written(ProgressReport report) {
		begunProgress().written(report);
	}

	/** The log, for the handler. */
	synchronized AttemptLog begunLog() {
		AttemptLog known = this.log;
		if (known == null) {
			known = new AttemptLog(this.job);
			this.log = known;
		}
		return known;
	}

	/** The log, or {@code null} if the handler has not used it. */
	@Nullable AttemptLog log() {
		return this.log;
	}

	void written(LogPart part) {
		begunLog().written(part);
	}

	/** How many lines the handler has logged beyond what is kept. */
	int droppedLines() {
		AttemptLog known = this.log;
		return (known != null) ? known.dropped() : 0;
	}

}
