package io.rowqueue.autoconfigure.endpoint;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import io.rowqueue.admin.FlowView;
import io.rowqueue.admin.LaneView;
import io.rowqueue.admin.RunningView;
import io.rowqueue.admin.WorkerView;
import io.rowqueue.autoconfigure.endpoint.JobReports.BatchReport;
import io.rowqueue.autoconfigure.endpoint.JobReports.FailureReport;
import io.rowqueue.control.Pause;
import io.rowqueue.limit.Limit.Rate;
import io.rowqueue.limit.LimitView;
import io.rowqueue.schedule.ScheduleStatus;
import io.rowqueue.schedule.ScheduledRun;
import io.rowqueue.schedule.Validity;
import io.rowqueue.window.OpeningHours;
import io.rowqueue.window.Window;
import io.rowqueue.window.WindowStatus;
import org.jspecify.annotations.Nullable;

/** Responses of the endpoint about the queue. */
final class Reports {

	private Reports() {
	}

	/**
	 * The whole queue.
	 *
	 * @param queues the queues that have jobs or are paused, by name
	 * @param pausedTypes the types that are paused
	 * @param workers the live workers
	 * @param deadWorkers the workers that were declared dead recently
	 * @param lanes the waiting jobs by lane, the longest waiting first
	 * @param longestRunning the running jobs, the longest running first
	 * @param recentFailures the latest failed attempts
	 * @param schedules the recurring jobs, the next due first
	 * @param windows the windows, by name
	 * @param limits the limits of the cluster
	 * @param flows the running and failed flows, failed ones first
	 * @param batches the batches that have not finished, the oldest first
	 */
	record Overview(Map<String, QueueReport> queues, List<Pause> pausedTypes, List<WorkerView> workers,
			List<WorkerView> deadWorkers, List<LaneView> lanes, List<RunningView> longestRunning,
			List<FailureReport> recentFailures, List<ScheduleReport> schedules, List<WindowReport> windows,
			List<LimitReport> limits, List<FlowView> flows, List<BatchReport> batches) {
	}

	/**
	 * One limit.
	 *
	 * @param kind queue, type or key
	 * @param name the queue, the type, or the class of keys
	 * @param concurrency the maximum number of jobs that run at once
	 * @param rate the maximum number of jobs that start in a period
	 * @param ordered whether the jobs of a key run strictly one after the other
	 * @param setManually whether it was set at run time and takes precedence over the
	 * properties
	 * @param held the number of jobs that count against it now, unless it is a limit of
	 * keys
	 * @param tokens the number of jobs that the rate allows to start now
	 */
	record LimitReport(String kind, String name, @Nullable Integer concurrency, @Nullable Rate rate, boolean ordered,
			boolean setManually, @Nullable Integer held, @Nullable Integer tokens) {

		static LimitReport of(LimitView view) {
			return new LimitReport(view.kind().label(), view.name(), view.limit().concurrency(), view.limit().rate(),
					view.limit().ordered(), view.setManually(), view.held(), view.tokens());
		}

	}

	/**
	 * One queue.
	 *
	 * @param jobs the number of its jobs, by state
	 * @param paused since when and why it is paused, or {@code null} if it is not
	 */
	record QueueReport(Map<String, Long> jobs, @Nullable Pause paused) {
	}

	/**
	 * One window.
	 *
	 * @param name its name
	 * @param open whether it is open
	 * @param openFrom when it opened or opens next
	 * @param openUntil when it closes after that
	 * @param zone the time zone of its times
	 * @param times when it is open
	 * @param closing what happens to running jobs when it closes
	 * @param queues the queues whose jobs run only while it is open
	 * @param types the types whose jobs run only while it is open, including those whose
	 * handlers name it
	 * @param declared whether a live worker declares it, or it was created in code
	 */
	record WindowReport(String name, boolean open, Instant openFrom, Instant openUntil, String zone, List<String> times,
			String closing, Set<String> queues, Set<String> types, boolean declared) {

		static WindowReport of(WindowStatus status) {
			Window window = status.window();
			Set<String> types = new TreeSet<>(window.types());
			types.addAll(status.handlerTypes());
			return new WindowReport(window.name(), status.open(), status.openFrom(), status.openUntil(),
					window.zone().getId(), window.times().stream().map(OpeningHours::toString).toList(),
					window.closing().name().toLowerCase(Locale.ROOT), new TreeSet<>(window.queues()), types,
					status.declared());
		}

	}

	/**
	 * One recurring job.
	 *
	 * @param name its name
	 * @param state whether it enqueues its job when it is due
	 * @param rhythm its cron expression or interval
	 * @param type the type of its jobs
	 * @param queue their queue
	 * @param limitKey their limit key
	 * @param source where it is declared
	 * @param from its first possible due time
	 * @param until the end of its due times
	 * @param calendar the calendar of its due times
	 * @param excluded what happens to a due time on a day that the calendar excludes
	 * @param nextRunAt when it is due next
	 * @param lastDueAt the due time of its latest job
	 * @param lastRunAt when its latest job was enqueued
	 * @param lastJobId the id of its latest job
	 * @param lastSkippedAt when a due time was last skipped because the previous job had
	 * not finished
	 * @param pausedAt when it was paused
	 * @param pauseReason why it was paused
	 * @param undeclaredAt when the last live worker that declared it stopped
	 */
	record ScheduleReport(String name, String state, String rhythm, String type, String queue,
			@Nullable String limitKey, String source, @Nullable Instant from, @Nullable Instant until,
			@Nullable String calendar, @Nullable String excluded, @Nullable Instant nextRunAt,
			@Nullable Instant lastDueAt, @Nullable Instant lastRunAt, @Nullable Long lastJobId,
			@Nullable Instant lastSkippedAt, @Nullable Instant pausedAt, @Nullable String pauseReason,
			@Nullable Instant undeclaredAt) {

		static ScheduleReport of(ScheduleStatus schedule) {
			Validity validity = schedule.occurrences().validity();
			return new ScheduleReport(schedule.name(), label(schedule.state()), schedule.rhythm().toString(),
					schedule.type(), schedule.queue(), schedule.limitKey(), label(schedule.source()), validity.from(),
					validity.until(), validity.calendar(),
					(validity.calendar() != null) ? validity.excluded().label() : null, schedule.nextRunAt(),
					schedule.lastDueAt(), schedule.lastRunAt(), schedule.lastJobId(), schedule.lastSkippedAt(),
					schedule.pausedAt(), schedule.pauseReason(), schedule.undeclaredAt());
		}

		private static String label(Enum<?> value) {
			return value.name().toLowerCase(Locale.ROOT);
		}

	}

	/**
	 * One recurring job, and what it has enqueued.
	 *
	 * @param schedule the recurring job
	 * @param runs its latest jobs, the latest first
	 */
	record ScheduleDetailReport(ScheduleReport schedule, List<RunReport> runs) {
	}

	/**
	 * A job of a recurring job.
	 *
	 * @param jobId the id of the job
	 * @param dueAt the due time
	 * @param enqueuedAt when it was enqueued
	 * @param origin due, triggered or backfill
	 * @param state its state; {@code null} if it is no longer kept
	 * @param attempt the number of attempts that have started
	 * @param startedAt when the latest attempt was claimed
	 * @param finishedAt when it finished
	 * @param duration how long the latest attempt took
	 */
	record RunReport(long jobId, Instant dueAt, Instant enqueuedAt, String origin, @Nullable String state, int attempt,
			@Nullable Instant startedAt, @Nullable Instant finishedAt, @Nullable Duration duration) {

		static RunReport of(ScheduledRun run) {
			return new RunReport(run.jobId(), run.dueAt(), run.enqueuedAt(), run.origin().label(),
					(run.state() != null) ? run.state().label() : null, run.attempt(), run.startedAt(),
					run.finishedAt(), run.duration());
		}

	}

}
