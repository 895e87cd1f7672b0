package io.rowqueue.engine.attempt;

import io.rowqueue.masking.SensitiveText;
import io.rowqueue.masking.StoredTextMasker;
import io.rowqueue.engine.lease.LogPart;
import io.rowqueue.engine.lease.ProgressReport;
import io.rowqueue.engine.support.ErrorText;
import io.rowqueue.engine.support.LogText;
import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

/**
 * What the handler of an attempt reports while it runs: progress and log lines, and how
 * they are masked. A handler that reports nothing has no costs.
 */
final class HandlerReports {

	private static final int MAX_CHARACTERS = 500;

	private final ActiveJob job;

	private volatile StoredTextMasker masker = StoredTextMasker.NONE;

	/** The latest one. */
	private volatile @Nullable ProgressReport progress;

	/** The revision of the latest one that has been written. */
	private volatile int written;

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
		Assert.isTrue(done >= 0, () -> "done must not be negative: " + done);
		Assert.isTrue(total >= 0, () -> "total must not be negative: " + total + "; 0 stands for unknown");
		String storable = (message != null)
				? LogText.lines(ErrorText.cut(mask(SensitiveText.PROGRESS, message), MAX_CHARACTERS)) : null;
		synchronized (this) {
			ProgressReport before = this.progress;
			int revision = (before != null) ? before.revision() + 1 : 1;
			this.progress = new ProgressReport(this.job.job().lease(), revision, done, total, storable);
		}
	}

	/** The progress to write, or {@code null} if there is nothing new. */
	@Nullable ProgressReport unwrittenProgress() {
		ProgressReport latest = this.progress;
		return (latest != null && latest.revision() > this.written) ? latest : null;
	}

	synchronized void written(ProgressReport report) {
		this.written = Math.max(this.written, report.revision());
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
