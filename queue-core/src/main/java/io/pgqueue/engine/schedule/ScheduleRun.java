package io.pgqueue.engine.schedule;

import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What is to become of a recurring job that is due.
 *
 * @param name its name
 * @param revision what it was when that was decided; if it has changed, nothing is done
 * @param dueTimes the times to enqueue a job for, in order
 * @param missed whether there were due times that get none
 * @param nextRunAt when it is due next; {@code null}: never
 */
public record ScheduleRun(String name, long revision, List<DueTime> dueTimes, boolean missed,
		@Nullable Instant nextRunAt) {

	/**
	 * A time to enqueue a job for.
	 *
	 * @param dueAt the due time
	 * @param runAt when the job is due: then or somewhat later
	 */
	public record DueTime(Instant dueAt, Instant runAt) {

	}

}
