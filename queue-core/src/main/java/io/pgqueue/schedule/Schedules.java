package io.pgqueue.schedule;

import java.util.List;
import java.util.Optional;

import io.pgqueue.PayloadConversionException;
import org.jspecify.annotations.Nullable;

/**
 * The recurring jobs of the cluster. What changes here takes part in the transaction of
 * the caller, if there is one.
 * <p>
 * Those of {@link RecurringJob} and {@code pgqueue.recurring} are written down when an
 * application starts, and are enqueued for as long as a worker lives whose application
 * has them. Those of {@link #put} stay until they are removed.
 *
 * @since 0.1.0
 */
public interface Schedules {

	/**
	 * Writes down a recurring job, in place of one of the same name. If its rhythm is the
	 * same as before, its next due time stays as well; otherwise it is the first one from
	 * now on. Whether it is paused stays.
	 * @param schedule the recurring job
	 * @throws IllegalArgumentException if it is never due
	 * @throws PayloadConversionException if the payload cannot be written as JSON or is
	 * too big
	 */
	void put(Schedule schedule);

	/**
	 * Enqueues no jobs of it until it is resumed.
	 * @param name its name
	 * @param reason for those who wonder, or {@code null}
	 * @return false if it was paused already or there is none; that reason stays
	 */
	boolean pause(String name, @Nullable String reason);

	/**
	 * Lets it go on with its first due time from now on.
	 * @param name its name
	 * @return whether it was paused
	 */
	boolean resume(String name);

	/**
	 * Enqueues one job of it now, paused or not; its next due time stays.
	 * @param name its name
	 * @return the id of the job; nothing if there is no such schedule, or its overlap
	 * policy is {@link OverlapPolicy#SKIP} and the job before is not over
	 */
	Optional<Long> trigger(String name);

	/**
	 * Removes it; its jobs stay. One that an application declares comes back when the
	 * application starts again.
	 * @param name its name
	 * @return whether there was one
	 */
	boolean remove(String name);

	/**
	 * Finds one.
	 * @param name its name
	 * @return the recurring job as it is now
	 */
	Optional<ScheduleStatus> find(String name);

	/**
	 * All of them.
	 * @return the next due first; at most 1000
	 */
	List<ScheduleStatus> list();

}
