package io.rowqueue.engine.attempt;

import io.rowqueue.SnoozeJobException;
import io.rowqueue.masking.SensitiveText;
import io.rowqueue.engine.support.ErrorText;
import io.rowqueue.engine.support.FairnessKey;
import io.rowqueue.engine.support.LogText;
import io.rowqueue.limit.LimitKind;
import org.jspecify.annotations.Nullable;

/**
 * The jobs that a handler holds when it postpones its own one.
 *
 * @param kind what is held
 * @param name the queue, the type or the limit key
 * @param reason what the handler has said
 */
public record HeldJobs(LimitKind kind, String name, @Nullable String reason) {

	private static final int MAX_CHARACTERS = 1000;

	/** What a handler holds; {@code null}: nothing. */
	static @Nullable HeldJobs of(ActiveJob job, SnoozeJobException snooze) {
		LimitKind kind = snooze.held();
		if (kind == null) {
			return null;
		}
		String key = job.job().limitKey();
		String message = snooze.getMessage();
		String reason = (message != null) ? reason(job, message) : null;
		return switch (kind) {
			case QUEUE -> new HeldJobs(kind, job.queue(), reason);
			case TYPE -> new HeldJobs(kind, job.type(), reason);
			case KEY -> (key == null || FairnessKey.is(key)) ? null : new HeldJobs(kind, key, reason);
		};
	}

	/**
	 * Masked, then cut, without characters that PostgreSQL cannot store: handlers pass on
	 * what other systems have answered.
	 */
	private static String reason(ActiveJob job, String message) {
		String masked = job.mask(SensitiveText.PAUSE_REASON, ErrorText.cut(message, 2 * MAX_CHARACTERS));
		return LogText.lines(ErrorText.cut(masked, MAX_CHARACTERS));
	}

}
