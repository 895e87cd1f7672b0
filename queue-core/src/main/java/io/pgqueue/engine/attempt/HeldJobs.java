package io.pgqueue.engine.attempt;

import io.pgqueue.SnoozeJobException;
import io.pgqueue.engine.support.FairnessKey;
import io.pgqueue.limit.LimitKind;
import org.jspecify.annotations.Nullable;

/**
 * The jobs that a handler holds when it postpones its own one.
 *
 * @param kind what is held
 * @param name the queue, the type or the limit key
 * @param reason what the handler has said
 */
public record HeldJobs(LimitKind kind, String name, @Nullable String reason) {

	/** What a handler holds; {@code null}: nothing. */
	static @Nullable HeldJobs of(ActiveJob job, SnoozeJobException snooze) {
		LimitKind kind = snooze.held();
		if (kind == null) {
			return null;
		}
		@Nullable String name = switch (kind) {
			case QUEUE -> job.queue();
			case TYPE -> job.type();
			case KEY -> job.job().limitKey();
		};
		boolean none = name == null || (kind == LimitKind.KEY && FairnessKey.is(name));
		return none ? null : new HeldJobs(kind, name, snooze.getMessage());
	}

}
