package io.rowqueue.dashboard.api.schedule;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.rowqueue.JobState;
import io.rowqueue.dashboard.Level;
import io.rowqueue.dashboard.api.ActionRoutes;
import io.rowqueue.dashboard.api.Maskers;
import io.rowqueue.dashboard.api.QueueReaders;
import io.rowqueue.dashboard.api.Reads;
import io.rowqueue.dashboard.api.Resource;
import io.rowqueue.dashboard.api.Text;
import io.rowqueue.dashboard.api.Views.JobRef;
import io.rowqueue.dashboard.api.Views;
import io.rowqueue.dashboard.http.ApiCall;
import io.rowqueue.dashboard.http.Parameters;
import io.rowqueue.dashboard.http.Problem;
import io.rowqueue.dashboard.http.Route;
import io.rowqueue.masking.SensitiveText;
import io.rowqueue.masking.TextMasker;
import io.rowqueue.schedule.Backfill;
import io.rowqueue.schedule.BackfillRange;
import io.rowqueue.schedule.Rhythm;
import io.rowqueue.schedule.ScheduleStatus;
import io.rowqueue.schedule.ScheduledRun;
import io.rowqueue.schedule.Validity;
import org.jspecify.annotations.Nullable;

/** The recurring jobs. */
public final class SchedulesApi implements Resource {

	private static final int FIRES = 10;

	private static final int MAX_FIRES = 100;

	private static final int RUNS = 50;

	private static final Map<String, Level> ACTIONS = Map.of("pause", Level.OPERATE, "resume", Level.OPERATE, "trigger",
			Level.OPERATE, "backfill", Level.OPERATE, "remove", Level.ADMIN);

	private final Reads reads;

	private final QueueReaders readers;

	private final Maskers maskers;

	private final ActionRoutes actions;

	/**
	 * Creates the resource.
	 * @param reads reads in a transaction
	 * @param readers reads recurring jobs
	 * @param maskers decides what is shown
	 * @param actions changes recurring jobs
	 */
	public SchedulesApi(Reads reads, QueueReaders readers, Maskers maskers, ActionRoutes actions) {
		this.reads = reads;
		this.readers = readers;
		this.maskers = maskers;
		this.actions = actions;
	}

	@Override
	public List<Route> routes() {
		return List.of(Route.get("schedules", this::all), Route.get("schedules/{name}", this::one),
				Route.get("schedules/{name}/fires", this::fires, "n"),
				Route.get("schedules/{name}/backfill", this::backfill, "from", "until", "again"),
				this.actions.post("schedules/{name}", "name", "schedules", ACTIONS));
	}

	private Schedules all(ApiCall call) {
		TextMasker masker = this.maskers.of(call);
		return this.reads.read((at) -> new Schedules(at,
				this.readers.schedules().list().stream().map((each) -> Schedule.of(each, masker)).toList()));
	}

	private ScheduleDetail one(ApiCall call) {
		TextMasker masker = this.maskers.of(call);
		return this.reads.read((at) -> {
			ScheduleStatus schedule = find(call);
			return new ScheduleDetail(at, Schedule.of(schedule, masker), next(schedule, FIRES),
					this.readers.schedules().runs(schedule.name(), RUNS).stream().map(Run::of).toList());
		});
	}

	private Fires fires(ApiCall call) {
		int count = (int) call.parameters().number("n", FIRES, 1, MAX_FIRES);
		return this.reads.read((at) -> new Fires(at, next(find(call), count)));
	}

	/** What a backfill would enqueue. */
	private BackfillPreview backfill(ApiCall call) {
		return this.reads.read((at) -> {
			String name = find(call).name();
			try {
				Backfill found = this.readers.schedules()
					.previewBackfill(name, range(call.parameters()))
					.orElseThrow(() -> Problem.Kind.NOT_FOUND.because("There is no recurring job of this name."));
				return new BackfillPreview(at, found.dueTimes(), found.jobs(), found.first(), found.last());
			}
			catch (IllegalArgumentException ex) {
				throw Problem.invalid("until", String.valueOf(ex.getMessage()));
			}
		});
	}

	private static BackfillRange range(Parameters parameters) {
		Instant from = TimeParameters.required(parameters, "from");
		Instant until = TimeParameters.required(parameters, "until");
		if (!from.isBefore(until)) {
			throw Problem.invalid("until", "must be after from");
		}
		return new BackfillRange(from, until, "true".equals(parameters.one("again")));
	}

	private ScheduleStatus find(ApiCall call) {
		return this.readers.schedules()
			.find(call.name("name"))
			.orElseThrow(() -> Problem.Kind.NOT_FOUND.because("There is no recurring job of this name."));
	}

	/** Paused ones show when they would be due. */
	private static List<Instant> next(ScheduleStatus schedule, int count) {
		List<Instant> times = new ArrayList<>();
		@Nullable Instant due = schedule.nextRunAt();
		while (due != null && times.size() < count) {
			times.add(due);
			due = schedule.next(due);
		}
		return times;
	}

	record Schedules(Instant at, List<Schedule> items) {

	}

	record ScheduleDetail(Instant at, Schedule schedule, List<Instant> fires, List<Run> runs) {

	}

	record BackfillPreview(Instant at, int dueTimes, int jobs, @Nullable Instant first, @Nullable Instant last) {

	}

	/** A job of a recurring job; its state is unknown if it is no longer kept. */
	record Run(long id, Instant dueAt, Instant enqueuedAt, String origin, @Nullable String state, int attempt,
			@Nullable Instant startedAt, @Nullable Instant endedAt) {

		static Run of(ScheduledRun run) {
			return new Run(run.jobId(), run.dueAt(), run.enqueuedAt(), run.origin().label(), state(run), run.attempt(),
					run.startedAt(), run.finishedAt());
		}

		/** As in a list of jobs. */
		private static @Nullable String state(ScheduledRun run) {
			boolean retrying = run.state() == JobState.SCHEDULED && run.attempt() > 0;
			return retrying ? "retrying" : (run.state() != null) ? run.state().label() : null;
		}

	}

	record Fires(Instant at, List<Instant> items) {

	}

	record Schedule(String name, String state, String rhythm, @Nullable String zone, @Nullable Instant from,
			@Nullable Instant until, @Nullable String calendar, @Nullable String excluded, String type, String queue,
			int priority, long toleranceMs, long jitterMs, String missed, String overlap, String source,
			@Nullable Instant nextRunAt, @Nullable Instant lastDueAt, @Nullable Instant lastRunAt,
			@Nullable JobRef lastJob, @Nullable Instant lastSkippedAt, @Nullable Instant pausedAt,
			@Nullable String pauseReason, @Nullable Instant undeclaredAt, @Nullable Text payload) {

		static Schedule of(ScheduleStatus status, TextMasker masker) {
			Long job = status.lastJobId();
			Validity validity = status.occurrences().validity();
			return new Schedule(status.name(), Views.label(status.state()), written(status.rhythm()),
					(status.rhythm() instanceof Rhythm.Cron cron) ? cron.zone().getId() : null, validity.from(),
					validity.until(), validity.calendar(),
					(validity.calendar() != null) ? validity.excluded().label() : null, status.type(), status.queue(),
					status.priority(), status.tolerance().toMillis(), status.jitter().toMillis(),
					Views.label(status.missed()), Views.label(status.overlap()), Views.label(status.source()),
					status.nextRunAt(), status.lastDueAt(), status.lastRunAt(),
					(job != null) ? new JobRef(job, status.type()) : null, status.lastSkippedAt(), status.pausedAt(),
					masker.maskIfPresent(SensitiveText.PAUSE_REASON, status.pauseReason()), status.undeclaredAt(),
					Text.ofNullable(masker, SensitiveText.PAYLOAD, status.payload()));
		}

		private static String written(Rhythm rhythm) {
			return (rhythm instanceof Rhythm.Cron cron) ? cron.expression()
					: "every " + readable(((Rhythm.Every) rhythm).interval());
		}

		private static String readable(Duration interval) {
			return interval.toString().substring(2).replaceAll("(\\d[HMS])(?!$)", "$1 ").toLowerCase(Locale.ROOT);
		}

	}

}
