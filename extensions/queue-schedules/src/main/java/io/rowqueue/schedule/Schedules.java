package io.rowqueue.schedule;

import java.util.List;
import java.util.Optional;

import io.rowqueue.JobContext;
import io.rowqueue.PayloadConversionException;
import org.jspecify.annotations.Nullable;

/**
 * The schedules of the cluster. Changes take part in the transaction of the caller, if
 * there is one.
 * <p>
 * Schedules of {@link RecurringJob} and {@code rowqueue.recurring} are stored when an
 * application starts, and enqueue jobs as long as a live worker belongs to an application
 * that defines them. Schedules of {@link #put} are kept until they are removed.
 *
 * @since 0.1.0
 */
public interface Schedules {

	/** The maximum number of due times of a backfill. */
	int MAX_BACKFILL = 1000;

	/** The number of runs of each schedule that are kept. */
	int KEPT_RUNS = 5000;

	/** The maximum number of runs in a list. */
	int MAX_RUNS = 1000;

	/**
	 * Stores a schedule, and replaces an existing one with the same name. The next due
	 * time is kept if the rhythm has not changed; otherwise it is the first one from now
	 * on. A pause is kept.
	 * @param schedule the schedule
	 * @throws IllegalArgumentException if the schedule has no due time, or names a
	 * calendar that is not stored
	 * @throws PayloadConversionException if the payload cannot be written as JSON or is
	 * too large
	 */
	void put(Schedule schedule);

	/**
	 * Pauses a schedule: it enqueues no jobs until it is resumed.
	 * @param name the name of the schedule
	 * @param reason the reason, for other administrators, or {@code null}
	 * @return {@code false} if the schedule does not exist, or is already paused and
	 * keeps its reason
	 */
	boolean pause(String name, @Nullable String reason);

	/**
	 * Resumes a schedule, whose next due time is the first one from now on. An interval
	 * is counted as if the schedule had not been paused.
	 * @param name the name of the schedule
	 * @return whether the schedule was paused
	 */
	boolean resume(String name);

	/**
	 * Enqueues a job of a schedule now, even if the schedule is paused. The next due time
	 * does not change.
	 * @param name the name of the schedule
	 * @return the id of the job; empty if the schedule does not exist, or if its overlap
	 * policy is {@link OverlapPolicy#SKIP} and the previous job has not finished
	 */
	Optional<Long> trigger(String name);

	/**
	 * Counts what {@link #backfill} would enqueue, and changes nothing.
	 * @param name the name of the schedule
	 * @param range the due times
	 * @return the number of due times and jobs; empty if the schedule does not exist
	 * @throws IllegalArgumentException if the range contains more than
	 * {@value #MAX_BACKFILL} due times
	 */
	Optional<Backfill> previewBackfill(String name, BackfillRange range);

	/**
	 * Enqueues jobs for due times that have passed, even if the schedule is paused or its
	 * previous job has not finished. Each job has its due time as
	 * {@link JobContext#dueAt()}, and may run at once. If a backfill is repeated, a due
	 * time that has a job does not get another one, see {@link BackfillRange}. Due times
	 * that the schedule still has to handle are left to it.
	 * @param name the name of the schedule
	 * @param range the due times
	 * @return the number of due times and jobs; empty if the schedule does not exist
	 * @throws IllegalArgumentException if the range contains more than
	 * {@value #MAX_BACKFILL} due times
	 */
	Optional<Backfill> backfill(String name, BackfillRange range);

	/**
	 * Lists the latest jobs of a schedule, the latest first. The latest
	 * {@value #KEPT_RUNS} of each schedule are kept.
	 * @param name the name of the schedule
	 * @param limit the maximum number, at most {@value #MAX_RUNS}
	 * @return the runs; empty if the schedule does not exist
	 */
	List<ScheduledRun> runs(String name, int limit);

	/**
	 * Removes a schedule and its history, but not its jobs. A schedule that an
	 * application defines is stored again when the application starts.
	 * @param name the name of the schedule
	 * @return whether the schedule existed
	 */
	boolean remove(String name);

	/**
	 * Finds a schedule.
	 * @param name the name of the schedule
	 * @return a snapshot of the schedule; empty if it does not exist
	 * @throws IllegalArgumentException if the JDK of this process does not know its time
	 * zone
	 */
	Optional<ScheduleStatus> find(String name);

	/**
	 * Lists all schedules, except those whose time zone the JDK of this process does not
	 * know.
	 * @return the first 1000 schedules, in the order of their next due times
	 */
	List<ScheduleStatus> list();

}
