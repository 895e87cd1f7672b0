package io.rowqueue.dashboard.api;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

import io.rowqueue.admin.FailureView;
import io.rowqueue.admin.LaneView;
import io.rowqueue.admin.QueueOverview;
import io.rowqueue.admin.WorkerView;
import io.rowqueue.control.Pause;
import io.rowqueue.engine.figures.ProcessRecord;
import io.rowqueue.engine.figures.ProcessStore;
import io.rowqueue.limit.Limit;
import io.rowqueue.masking.SensitiveText;
import io.rowqueue.masking.TextMasker;
import org.jspecify.annotations.Nullable;

/** Parts of answers that several resources have. */
public final class Views {

	/** A worker whose latest heartbeat is older is silent. */
	private static final Duration SILENT = Duration.ofSeconds(5);

	private Views() {
	}

	/** Which worker. */
	public record WorkerRef(long id, @Nullable String name) {

		/** Returns a worker whose name may be known. */
		public static @Nullable WorkerRef of(@Nullable Long id, Map<Long, String> names) {
			return (id != null) ? new WorkerRef(id, names.get(id)) : null;
		}

	}

	/**
	 * Where a list ends.
	 *
	 * @param next the cursor of the next page, or {@code null}
	 */
	public record PageInfo(@Nullable String next) {

	}

	/** Which job. */
	public record JobRef(long id, @Nullable String type) {

	}

	/** A lane. */
	public record Lane(String queue, String type, int priority, long ageMs, long toleranceMs, long firstJob,
			int workers) {

		public static Lane of(LaneView lane) {
			return new Lane(lane.queue(), lane.type(), lane.priority(), lane.age().toMillis(),
					lane.tolerance().toMillis(), lane.firstJob(), lane.workers());
		}

	}

	/** A worker. */
	public record Worker(long id, String name, String state, Instant startedAt, long heartbeatAgeMs,
			@Nullable Instant deadAt, boolean listening, List<String> queues, List<String> types, int slots,
			Map<String, Integer> queueSlots, int held, long leaseMs, @Nullable String version,
			@Nullable WorkerRates rates) {

		/** Returns workers with what their processes say of themselves. */
		public static List<Worker> all(List<WorkerView> workers, ProcessStore store) {
			Map<Long, ProcessRecord> processes = store.find(workers.stream().map(WorkerView::id).toList())
				.stream()
				.collect(Collectors.toMap(ProcessRecord::workerId, (process) -> process));
			return workers.stream().map((worker) -> of(worker, processes.get(worker.id()))).toList();
		}

		/** Returns as many workers as a list has, with what their processes say. */
		public static List<Worker> listed(List<WorkerView> workers, ProcessStore store) {
			return all(workers.subList(0, Math.min(workers.size(), QueueOverview.MAX_RESULTS)), store);
		}

		/** A process that records no figures is not known. */
		private static Worker of(WorkerView worker, @Nullable ProcessRecord process) {
			String living = worker.quiet() ? "quiet" : "alive";
			String state = (worker.heartbeatAge().compareTo(SILENT) > 0) ? "silent" : living;
			return new Worker(worker.id(), worker.name(), (worker.deadAt() != null) ? "dead" : state,
					worker.startedAt(), worker.heartbeatAge().toMillis(), worker.deadAt(), worker.listening(),
					worker.queues(), worker.types(), worker.slots(), worker.queueSlots(), worker.held(),
					worker.lease().toMillis(),
					(process != null && !process.info().version().isEmpty()) ? process.info().version() : null,
					(process != null) ? WorkerRates.of(process) : null);
		}

	}

	/** What a worker did in its latest minute, and since it started. */
	record WorkerRates(double succeededPerMinute, double failedPerMinute, long succeeded, long failed, String java,
			String host, @Nullable Double cpu, @Nullable Long heapUsed, @Nullable Long heapMax, Instant seenAt) {

		public static WorkerRates of(ProcessRecord process) {
			return new WorkerRates(Math.round(process.succeededPerMinute()), Math.round(process.failedPerMinute()),
					process.succeeded(), process.failed(), process.info().java(), process.info().host(),
					(process.load().cpu() >= 0) ? Double.valueOf(process.load().cpu()) : null,
					known(process.load().heapUsed()), known(process.load().heapMax()), process.seenAt());
		}

		private static @Nullable Long known(long bytes) {
			return (bytes >= 0) ? Long.valueOf(bytes) : null;
		}

	}

	/**
	 * A pause.
	 *
	 * @param name what is paused: the queue, its class, or the type
	 */
	public record PauseInfo(String name, Instant pausedAt, @Nullable String reason, @Nullable String window,
			@Nullable Instant opensAt) {

		public static PauseInfo of(Pause pause, TextMasker masker) {
			return new PauseInfo(pause.name(), pause.pausedAt(),
					masker.maskIfPresent(SensitiveText.PAUSE_REASON, pause.reason()), pause.window(), pause.opensAt());
		}

	}

	/** A failed attempt. */
	public record Failure(long job, @Nullable String queue, @Nullable String type, @Nullable String state, int attempt,
			@Nullable Instant startedAt, Instant failedAt, @Nullable WorkerRef worker, Text error) {

		public static Failure of(FailureView failure, TextMasker masker) {
			String state = "scheduled".equals(failure.state()) ? "retrying" : failure.state();
			return new Failure(failure.jobId(), failure.queue(), failure.type(), state, failure.attempt(),
					failure.startedAt(), failure.failedAt(),
					(failure.workerId() != null) ? new WorkerRef(failure.workerId(), null) : null,
					Text.of(masker, SensitiveText.ERROR, failure.error().lines().findFirst().orElse("")));
		}

	}

	/** A limit. */
	public record LimitValue(@Nullable Integer concurrency, @Nullable RateValue rate, boolean ordered, String text) {

		public static LimitValue of(Limit limit) {
			Limit.Rate rate = limit.rate();
			RateValue value = (rate != null) ? new RateValue(rate.jobs(), rate.period().toMillis(), rate.burst())
					: null;
			return new LimitValue(limit.concurrency(), value, limit.ordered(), text(limit));
		}

		/** The limit as {@link Limit#of(String)} reads it, with all that it says. */
		private static String text(Limit limit) {
			List<String> parts = new ArrayList<>();
			if (limit.concurrency() != null) {
				parts.add(limit.concurrency().toString());
			}
			Limit.Rate rate = limit.rate();
			if (rate != null) {
				parts.add(rate.jobs() + "/" + period(rate.period()));
				if (rate.burst() != rate.jobs()) {
					parts.add("burst " + rate.burst());
				}
			}
			if (limit.ordered()) {
				parts.add("ordered");
			}
			return String.join(", ", parts);
		}

		private static String period(Duration period) {
			long millis = period.toMillis();
			String[] units = { "d", "h", "m", "s" };
			long[] lengths = { 86_400_000L, 3_600_000L, 60_000L, 1000L };
			for (int i = 0; i < units.length; i++) {
				if (millis >= lengths[i] && millis % lengths[i] == 0) {
					return ((millis == lengths[i]) ? "1" : String.valueOf(millis / lengths[i])) + units[i];
				}
			}
			return millis + "ms";
		}

	}

	/** A rate. */
	record RateValue(int jobs, long periodMs, int burst) {

	}

	/** The name of an enum's value as the API writes it. */
	public static String label(Enum<?> value) {
		return value.name().toLowerCase(Locale.ROOT);
	}

}
