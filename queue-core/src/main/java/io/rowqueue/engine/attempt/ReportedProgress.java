package io.rowqueue.engine.attempt;

import io.rowqueue.engine.lease.Lease;
import io.rowqueue.engine.lease.ProgressReport;
import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

/** The latest progress that a handler has reported, and whether it has been written. */
final class ReportedProgress {

	private static final int MAX_CHARACTERS = 500;

	private final Lease lease;

	private volatile @Nullable ProgressReport latest;

	private volatile int written;

	ReportedProgress(Lease lease) {
		this.lease = lease;
	}

	synchronized void report(long done, long total, @Nullable String message) {
		Assert.isTrue(done >= 0, () -> "done must not be negative: " + done);
		Assert.isTrue(total >= 0, () -> "total must not be negative: " + total + "; 0 stands for unknown");
		ProgressReport before = this.latest;
		int revision = (before != null) ? before.revision() + 1 : 1;
		this.latest = new ProgressReport(this.lease, revision, done, total, storable(message));
	}

	/** The progress to write, or {@code null} if there is nothing new. */
	@Nullable ProgressReport unwritten() {
		ProgressReport report = this.latest;
		return (report != null && report.revision() > this.written) ? report : null;
	}

	synchronized void written(ProgressReport report) {
		this.written = Math.max(this.written, report.revision());
	}

	/** Without the character that PostgreSQL cannot store. */
	private static @Nullable String storable(@Nullable String message) {
		if (message == null) {
			return null;
		}
		int end = Math.min(message.length(), MAX_CHARACTERS);
		if (end < message.length() && Character.isHighSurrogate(message.charAt(end - 1))) {
			end--;
		}
		return message.substring(0, end).replace('\0', '\uFFFD');
	}

}
