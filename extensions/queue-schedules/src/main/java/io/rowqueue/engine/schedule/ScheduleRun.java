package io.rowqueue.engine.schedule;

import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The update of a schedule that is due.
 *
 * @param name the name
 * @param revision the revision that was read; if it has changed, nothing is done
 * @param dueTimes the due times to enqueue jobs for, in order
 * @param missed whether there were due times without a job
 * @param nextRunAt the next due time, or {@code null} if there is none
 */
record ScheduleRun(String name, long revision, List<DueTime> dueTimes, boolean missed, @Nullable Instant nextRunAt) {

	/**
	 * A due time to enqueue a job for.
	 *
	 * @param dueAt the due time
	 * @param runAt when the job is due: at the due time or, with jitter, later
	 */
	public record DueTime(Instant dueAt, Instant runAt) {

	}

}
