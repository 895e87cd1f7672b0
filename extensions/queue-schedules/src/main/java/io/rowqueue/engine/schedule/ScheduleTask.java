package io.rowqueue.engine.schedule;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

import io.rowqueue.EnqueueResult;
import io.rowqueue.EnqueueResult.Outcome;
import io.rowqueue.JobRequest;
import io.rowqueue.engine.listen.ListenerThread;
import io.rowqueue.engine.listen.StoreListener;
import io.rowqueue.engine.maintenance.PeriodicTask;
import io.rowqueue.engine.schedule.DeclaredSchedules.Declaration;
import io.rowqueue.engine.schedule.ScheduleStore.Declared;
import io.rowqueue.engine.schedule.ScheduleStore.ScheduledJob;
import io.rowqueue.engine.support.Pace;
import io.rowqueue.engine.wakeup.Arrivals;
import io.rowqueue.engine.wakeup.WakeUps;
import io.rowqueue.listen.JobListener;
import io.rowqueue.schedule.Schedule;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Enqueues jobs of schedules that are due. If two processes run it at the same time, the
 * database ensures that each due time is handled once.
 */
public final class ScheduleTask extends PeriodicTask {

	private static final Duration INTERVAL = Duration.ofMillis(500);

	private static final int SCHEDULES_PER_BATCH = 100;

	/** After this number, other tasks run; the rest follows at the next interval. */
	private static final int DUE_TIMES_PER_RUN = 10_000;

	private static final Logger logger = LoggerFactory.getLogger(ScheduleTask.class);

	private final ScheduleStore store;

	private final WakeUps wakeUps;

	private final DeclaredSchedules declared;

	private final JobListener listener;

	private final StoreListener meters;

	private final Pace look = new Pace(Duration.ofSeconds(10));

	private final Pace prune = new Pace(Duration.ofHours(1));

	private final Pace renew = new Pace(Duration.ofDays(1));

	/** Whether there are schedules, as far as this process knows. */
	private boolean known;

	/**
	 * Creates the task.
	 * @param store the schedules; each statement runs in a separate transaction
	 * @param wakeUps is notified of the jobs
	 * @param declared the schedules that this application declares
	 * @param listener is notified of the jobs
	 * @param meters is notified of the due times
	 */
	public ScheduleTask(ScheduleStore store, WakeUps wakeUps, DeclaredSchedules declared, JobListener listener,
			StoreListener meters) {
		super("schedule", INTERVAL, ScheduleStore.NEXT);
		this.store = store;
		this.wakeUps = wakeUps;
		this.declared = declared;
		// a separate thread, since the thread of this task finds due jobs
		this.listener = new ListenerThread(listener);
		this.meters = meters;
		this.known = !declared.schedules().isEmpty();
	}

	/** Stores the schedules that this application declares. */
	@Override
	public void prepare() {
		this.store.calendars().put(this.declared.calendars());
		if (!this.declared.schedules().isEmpty()) {
			Instant now = this.store.now();
			for (Declaration each : this.declared.schedules()) {
				declare(each, now);
			}
		}
	}

	private void declare(Declaration declaration, Instant now) {
		Schedule schedule = declaration.schedule();
		Instant first = this.store.occurrences(schedule).next(now);
		if (first == null) {
			// stored nevertheless: an earlier definition must not continue
			logger.warn("Schedule '{}' has ended: {} has no further due time", schedule.name(), schedule.rhythm());
		}
		this.store.put(
				new NewSchedule(schedule, declaration.payload(), declaration.onFailure(), declaration.source(), first));
	}

	@Override
	public void run() {
		fireDue();
		if (this.look.nextIfDue()) {
			this.store.noteDeclared().forEach(ScheduleTask::report);
			this.store.bringBack();
		}
		if (this.prune.nextIfDue()) {
			this.store.pruneRuns();
		}
		if (this.renew.nextIfDue()) {
			this.store.calendars().put(this.declared.calendars());
		}
	}

	private void fireDue() {
		int times = 0;
		List<DueSchedule> due;
		do {
			due = this.store.due(SCHEDULES_PER_BATCH);
			this.known |= !due.isEmpty();
			List<ScheduleRun> runs = due.stream().map(DueTimes::of).toList();
			fire(runs);
			times += runs.stream().mapToInt((run) -> run.dueTimes().size()).sum();
		}
		while (due.size() == SCHEDULES_PER_BATCH && times < DUE_TIMES_PER_RUN);
	}

	private void fire(List<ScheduleRun> runs) {
		if (!runs.isEmpty()) {
			List<ScheduledJob> jobs = this.store.fire(runs);
			Arrivals.Builder arrivals = new Arrivals.Builder();
			jobs.forEach((job) -> report(job, arrivals));
			this.wakeUps.jobsArrived(arrivals.build());
			Set<String> moved = jobs.stream().map(ScheduledJob::schedule).collect(Collectors.toSet());
			runs.stream()
				.filter((run) -> run.missed() && moved.contains(run.name()))
				.forEach((run) -> this.meters.due(run.name(), DueOutcome.MISSED.label()));
		}
	}

	/** Checks from time to time which schedules are declared, if there are any. */
	@Override
	public boolean insists() {
		return this.known && this.look.isDue();
	}

	/** Another process may know the time zone of a schedule that this one cannot read. */
	@Override
	public boolean yieldsTurn() {
		return this.store.hasLeftDue();
	}

	private void report(ScheduledJob job, Arrivals.Builder arrivals) {
		Long id = job.jobId();
		if (id != null) {
			arrivals.add(job.queue(), job.limited());
			this.listener.enqueued(JobRequest.of(job.type()).queue(job.queue()),
					new EnqueueResult(id, Outcome.CREATED));
			this.meters.due(job.schedule(), DueOutcome.ENQUEUED.label());
		}
		else if (job.held()) {
			logger.info("Schedule '{}' is due, but its previous job has not finished: skipped", job.schedule());
			this.meters.due(job.schedule(), DueOutcome.SKIPPED.label());
		}
	}

	private static void report(Declared schedule) {
		if (schedule.declared()) {
			logger.info("Schedule '{}' is declared by a running worker again", schedule.name());
		}
		else {
			logger
				.warn("No running worker declares the schedule '{}': it will be disabled in a minute unless one declares"
						+ " it. If it was removed intentionally, also remove it from the database with Schedules.remove",
						schedule.name());
		}
	}

	/** What happened at a due time of a schedule. */
	private enum DueOutcome {

		/** A job was enqueued. */
		ENQUEUED,

		/**
		 * The previous job has not finished, and the overlap policy is to skip the due
		 * time.
		 */
		SKIPPED,

		/** It was missed, and gets no job of its own. */
		MISSED;

		/** Returns the name in meters. */
		String label() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

}
