package io.pgqueue.autoconfigure.endpoint;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import io.pgqueue.admin.LaneView;
import io.pgqueue.admin.Pause;
import io.pgqueue.admin.RunningView;
import io.pgqueue.admin.WorkerView;
import io.pgqueue.autoconfigure.endpoint.JobReports.BatchReport;
import io.pgqueue.autoconfigure.endpoint.JobReports.FailureReport;
import io.pgqueue.flow.FlowView;
import io.pgqueue.limit.Limit.Rate;
import io.pgqueue.limit.LimitView;
import io.pgqueue.schedule.ScheduleStatus;
import io.pgqueue.window.OpeningHours;
import io.pgqueue.window.Window;
import io.pgqueue.window.WindowStatus;
import org.jspecify.annotations.Nullable;

/** What the endpoint answers about the queue. */
final class Reports {

	private Reports() {
	}

	/**
	 * The whole queue.
	 *
	 * @param queues the queues that have jobs or are paused, by name
	 * @param pausedTypes types that are not claimed
	 * @param workers who runs jobs
	 * @param deadWorkers who has died lately
	 * @param lanes what waits, the longest waiting first
	 * @param longestRunning what runs, the longest running first
	 * @param recentFailures the latest failed attempts
	 * @param schedules the recurring jobs, the next due first
	 * @param windows the windows, by name
	 * @param limits what is limited in the cluster
	 * @param flows the flows that run or have failed, failed ones first
	 * @param batches the batches that are not over, the oldest first
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
	 * @param concurrency how many jobs run at once
	 * @param rate how many begin in a time
	 * @param ordered whether the jobs of a key run strictly one after the other
	 * @param setByHand whether it outweighs the properties
	 * @param held how many jobs it counts now, if it is not one of keys
	 * @param tokens how many jobs the rate lets begin now
	 */
	record LimitReport(String kind, String name, @Nullable Integer concurrency, @Nullable Rate rate, boolean ordered,
			boolean setByHand, @Nullable Integer held, @Nullable Integer tokens) {

		static LimitReport of(LimitView view) {
			return new LimitReport(view.kind().label(), view.name(), view.limit().concurrency(), view.limit().rate(),
					view.limit().ordered(), view.setManually(), view.held(), view.tokens());
		}

	}

	/**
	 * One queue.
	 *
	 * @param jobs how many there are, by state
	 * @param paused since when and why it is not claimed, if it is not
	 */
	record QueueReport(Map<String, Long> jobs, @Nullable Pause paused) {
	}

	/**
	 * One window.
	 *
	 * @param name its name
	 * @param open whether it is open
	 * @param openFrom when it has opened or opens next
	 * @param openUntil when it closes then
	 * @param zone whose clocks count
	 * @param times when it is open
	 * @param closing what becomes of running jobs when it closes
	 * @param queues the queues that are run only while it is open
	 * @param types the types that are run only while it is open, those included whose
	 * handlers name it
	 * @param declared whether a live worker declares it, or it is of code
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
	 * @param state whether it is enqueued when it is due
	 * @param rhythm when it is due
	 * @param type the type of its jobs
	 * @param queue their queue
	 * @param limitKey their limit key
	 * @param source where it was written down
	 * @param nextRunAt when it is due next
	 * @param lastDueAt the due time of its latest job
	 * @param lastRunAt when that was enqueued
	 * @param lastJobId the id of that
	 * @param lastSkippedAt when a due time was last skipped, since the job before was not
	 * over
	 * @param pausedAt since when it is paused
	 * @param pauseReason why
	 * @param undeclaredAt since when no live worker declares it
	 */
	record ScheduleReport(String name, String state, String rhythm, String type, String queue,
			@Nullable String limitKey, String source, @Nullable Instant nextRunAt, @Nullable Instant lastDueAt,
			@Nullable Instant lastRunAt, @Nullable Long lastJobId, @Nullable Instant lastSkippedAt,
			@Nullable Instant pausedAt, @Nullable String pauseReason, @Nullable Instant undeclaredAt) {

		static ScheduleReport of(ScheduleStatus schedule) {
			return new ScheduleReport(schedule.name(), label(schedule.state()), schedule.rhythm().toString(),
					schedule.type(), schedule.queue(), schedule.limitKey(), label(schedule.source()),
					schedule.nextRunAt(), schedule.lastDueAt(), schedule.lastRunAt(), schedule.lastJobId(),
					schedule.lastSkippedAt(), schedule.pausedAt(), schedule.pauseReason(), schedule.undeclaredAt());
		}

		private static String label(Enum<?> value) {
			return value.name().toLowerCase(Locale.ROOT);
		}

	}

}
