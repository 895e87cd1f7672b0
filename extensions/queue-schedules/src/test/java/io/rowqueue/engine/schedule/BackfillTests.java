package io.rowqueue.engine.schedule;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import io.rowqueue.JobContext;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.engine.enqueue.CheckedPayloads;
import io.rowqueue.engine.listen.StoreListener;
import io.rowqueue.engine.wakeup.WakeUps;
import io.rowqueue.listen.JobListener;
import io.rowqueue.schedule.Backfill;
import io.rowqueue.schedule.BackfillRange;
import io.rowqueue.schedule.ExcludedPolicy;
import io.rowqueue.schedule.JobCalendar;
import io.rowqueue.schedule.Rhythm;
import io.rowqueue.schedule.Schedule;
import io.rowqueue.schedule.ScheduledRun;
import io.rowqueue.schedule.ScheduledRun.Origin;
import io.rowqueue.schedule.Schedules;
import io.rowqueue.schedule.Validity;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.Stores;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

/** What a schedule has enqueued, and filling what it has not. */
class BackfillTests {

	private static final Rhythm DAILY = Rhythm.cron("0 3 * * *", "UTC");

	@AutoClose
	private final Engine engine = new Engine();

	private final ScheduleStore store = new ScheduleStore(this.engine.queueDatabase());

	private final WakeUps wakeUps = new Stores(this.engine.jdbc()).wakeUps();

	private final Schedules schedules = new ClusterSchedules(this.store, CheckedPayloads.ofDefaults(), this.wakeUps);

	private final Instant today = this.store.now().truncatedTo(ChronoUnit.DAYS);

	@Test
	void eachMissingDueTimeGetsOneJobHoweverOftenItIsFilled() throws Exception {
		put(Schedule.of("report", DAILY, JobRequest.of("report")));
		BackfillRange week = BackfillRange.missing(this.today.minus(8, ChronoUnit.DAYS),
				this.today.minus(1, ChronoUnit.DAYS));
		Backfill expected = new Backfill(7, 7, day(8), day(2));
		assertThat(this.schedules.previewBackfill("report", week)).contains(expected);
		assertThat(this.engine.jobs()).as("a preview changes nothing").isZero();
		assertThat(this.schedules.backfill("report", week)).contains(expected);
		assertThat(this.schedules.backfill("report", week)).contains(new Backfill(7, 0, day(8), day(2)));
		List<Instant> dueTimes = new ArrayList<>();
		this.engine.process().handle("report", (payload, context) -> add(dueTimes, context)).startAndListen();
		this.engine.awaitAllOver();
		assertThat(dueTimes).containsExactlyInAnyOrder(day(8), day(7), day(6), day(5), day(4), day(3), day(2));
		assertThat(this.schedules.backfill("report", week)).as("also when they have finished")
			.contains(new Backfill(7, 0, day(8), day(2)));
	}

	private static Object add(List<Instant> times, JobContext context) {
		synchronized (times) {
			return times.add(context.dueAt());
		}
	}

	@Test
	void whatHasFinishedCanBeComputedAgainAndWhatHasNotIsLeft() {
		put(Schedule.of("report", DAILY, JobRequest.of("report")));
		BackfillRange missing = BackfillRange.missing(day(3), day(1));
		BackfillRange again = BackfillRange.again(day(4), day(1));
		assertThat(this.schedules.backfill("report", missing)).contains(new Backfill(2, 2, day(3), day(2)));
		assertThat(this.schedules.previewBackfill("report", again)).contains(new Backfill(3, 1, day(4), day(2)));
		this.engine.jdbc().update("update rowqueue.job set state = 'failed'");
		assertThat(this.schedules.backfill("report", again)).as("a failed job has ended")
			.contains(new Backfill(3, 3, day(4), day(2)));
		assertThat(this.schedules.backfill("report", again)).contains(new Backfill(3, 0, day(4), day(2)));
	}

	@Test
	void aPausedScheduleCanBeFilledAndOneThatIsDueHandlesItsTimesItself() {
		put(Schedule.of("report", DAILY, JobRequest.of("report")));
		this.engine.jdbc().update("update rowqueue.schedule set next_run_at = ?::timestamptz", day(3).toString());
		BackfillRange range = BackfillRange.missing(day(5), this.store.now().plusSeconds(86_400));
		assertThat(this.schedules.previewBackfill("report", range).orElseThrow().last()).isEqualTo(day(4));
		this.schedules.pause("report", null);
		assertThat(this.schedules.previewBackfill("report", range).orElseThrow().last()).as("resuming skips them")
			.isAfter(day(2));
	}

	@Test
	void anIntervalIsFilledFromItsNextDueTimeBackwards() {
		put(Schedule.of("often", Rhythm.every(Duration.ofHours(1)), JobRequest.of("often")));
		Instant next = this.schedules.find("often").orElseThrow().nextRunAt();
		Instant first = next.minus(5, ChronoUnit.HOURS);
		assertThat(this.schedules.previewBackfill("often", BackfillRange.missing(first, next)))
			.contains(new Backfill(5, 5, first, next.minus(1, ChronoUnit.HOURS)));
		assertThat(this.schedules.previewBackfill("often", BackfillRange.missing(next, next.plusSeconds(9999))))
			.contains(new Backfill(0, 0, null, null));
	}

	@Test
	void anIntervalThatIsPausedIsFilledFromTheBeginningOfTheRange() {
		put(Schedule.of("often", Rhythm.every(Duration.ofHours(1)), JobRequest.of("often")));
		this.schedules.pause("often", null);
		this.engine.jdbc().update("update rowqueue.schedule set next_run_at = next_run_at - interval '10 hours'");
		Instant next = this.schedules.find("often").orElseThrow().nextRunAt();
		Instant from = next.plusSeconds(7201);
		assertThat(this.schedules.backfill("often", BackfillRange.missing(from, next.plus(5, ChronoUnit.HOURS))))
			.contains(new Backfill(2, 2, next.plus(3, ChronoUnit.HOURS), next.plus(4, ChronoUnit.HOURS)));
		assertThat(this.schedules.previewBackfill("often",
				BackfillRange.missing(next.plus(4, ChronoUnit.HOURS), next.plus(5, ChronoUnit.HOURS))))
			.contains(new Backfill(1, 0, next.plus(4, ChronoUnit.HOURS), next.plus(4, ChronoUnit.HOURS)));
	}

	@Test
	void aRangeIsBounded() {
		put(Schedule.of("report", Rhythm.cron("* * * * *", "UTC"), JobRequest.of("report")));
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.schedules.backfill("report",
					BackfillRange.missing(this.today.minus(2, ChronoUnit.DAYS), this.today)))
			.withMessageContaining("more than 1000 due times");
		assertThat(this.engine.jobs()).isZero();
		assertThat(this.schedules.backfill("unknown", BackfillRange.missing(day(2), day(1)))).isEmpty();
	}

	@Test
	void severalAtOnceEnqueueEachDueTimeOnce() throws Exception {
		put(Schedule.of("report", DAILY, JobRequest.of("report")));
		BackfillRange range = BackfillRange.missing(this.today.minus(100, ChronoUnit.DAYS), day(1));
		ExecutorService threads = Executors.newFixedThreadPool(4);
		try {
			List<Callable<Integer>> fills = new ArrayList<>();
			for (int i = 0; i < 4; i++) {
				fills.add(() -> this.schedules.backfill("report", range).orElseThrow().jobs());
			}
			int jobs = 0;
			for (Future<Integer> each : threads.invokeAll(fills)) {
				jobs += each.get();
			}
			assertThat(jobs).isEqualTo(99);
			assertThat(this.engine.jobs()).isEqualTo(99);
		}
		finally {
			threads.shutdownNow();
		}
	}

	@Test
	void theHistoryShowsHowTheJobsOfAScheduleEnded() throws Exception {
		put(Schedule.of("report", DAILY, JobRequest.of("report").maxAttempts(1)));
		put(Schedule.of("other", DAILY, JobRequest.of("other")));
		this.schedules.trigger("other");
		long triggered = this.schedules.trigger("report").orElseThrow();
		this.engine.process().handle("report", (payload, context) -> {
		}).startAndListen();
		await().until(() -> this.engine.finished() == 1);
		this.schedules.backfill("report", BackfillRange.missing(day(2), day(1)));
		await().until(() -> this.engine.finished() == 2);
		assertThat(this.schedules.runs("report", 10)).hasSize(2).allSatisfy((run) -> {
			assertThat(run.state()).isEqualTo(JobState.SUCCEEDED);
			assertThat(run.attempt()).isEqualTo(1);
			assertThat(run.duration()).isBetween(Duration.ZERO, Duration.ofMinutes(1));
		}).extracting(ScheduledRun::origin).containsExactly(Origin.BACKFILL, Origin.TRIGGERED);
		assertThat(this.schedules.runs("report", 1)).extracting(ScheduledRun::dueAt).containsExactly(day(2));
		assertThat(this.schedules.runs("other", 10)).extracting(ScheduledRun::state).containsExactly(JobState.QUEUED);
		this.engine.jdbc().update("delete from rowqueue.job_finished where id = ?", triggered);
		assertThat(this.schedules.runs("report", 10).get(1)).as("the job is no longer retained")
			.satisfies((run) -> assertThat(run.state()).isNull())
			.satisfies((run) -> assertThat(run.jobId()).isEqualTo(triggered));
	}

	@Test
	void theLatestRunsAreKept() {
		put(Schedule.of("report", DAILY, JobRequest.of("report")));
		this.engine.jdbc()
			.update("insert into rowqueue.schedule_run (name, job_id, due_at, origin)"
					+ " select 'report', -i, now(), 'due' from generate_series(1, ?) i", Schedules.KEPT_RUNS + 10);
		this.store.pruneRuns();
		assertThat(this.engine.count("schedule_run")).isEqualTo(Schedules.KEPT_RUNS);
		assertThat(this.engine.number("select max(job_id) from rowqueue.schedule_run")).isEqualTo(-1);
		this.schedules.remove("report");
		assertThat(this.engine.count("schedule_run")).isZero();
	}

	@Test
	void aDayThatACalendarExcludesLaterIsSkipped() {
		LocalDate tomorrow = LocalDate.ofInstant(this.today, ZoneOffset.UTC).plusDays(1);
		this.store.calendars().put(List.of(JobCalendar.except("bank-days", List.of())));
		put(Schedule.of("report", DAILY, JobRequest.of("report"))
			.validity(Validity.ALWAYS.calendar("bank-days", ExcludedPolicy.SKIP)));
		this.engine.jdbc().update("update rowqueue.schedule set next_run_at = ?::timestamptz", day(-1).toString());
		this.store.calendars().put(List.of(JobCalendar.except("bank-days", List.of(tomorrow))));
		assertThat(this.schedules.find("report").orElseThrow().nextRunAt()).as("the next due time follows the calendar")
			.isNotEqualTo(day(-1));
		this.engine.jdbc()
			.update("update rowqueue.schedule_calendar set excluded = array[?::date]",
					tomorrow.minusDays(3).toString());
		this.engine.jdbc().update("update rowqueue.schedule set next_run_at = ?::timestamptz", day(2).toString());
		task().run();
		assertThat(this.schedules.runs("report", 10)).as("the excluded day has no job, the latest due time has one")
			.hasSize(1)
			.allSatisfy((run) -> assertThat(run.dueAt()).isAfter(day(2)));
	}

	@Test
	void theNextDueTimesFollowACalendarHoweverManySchedulesThereAre() {
		LocalDate tomorrow = LocalDate.ofInstant(this.today, ZoneOffset.UTC).plusDays(1);
		this.store.calendars().put(List.of(JobCalendar.except("bank-days", List.of(tomorrow))));
		put(Schedule.of("report", DAILY, JobRequest.of("report"))
			.validity(Validity.ALWAYS.calendar("bank-days", ExcludedPolicy.SKIP)));
		this.engine.jdbc().update("update rowqueue.schedule set next_run_at = ?::timestamptz", day(-2).toString());
		this.engine.jdbc()
			.update("insert into rowqueue.schedule (name, type, queue, every, source, next_run_at)"
					+ " select 'customer-' || i, 'digest', 'default', interval '1 hour', 'code', now()"
					+ " from generate_series(1, ?) i", ScheduleStore.MAX_SCHEDULES);
		this.store.calendars().put(List.of(JobCalendar.except("bank-days", List.of())));
		assertThat(this.schedules.find("report").orElseThrow().nextRunAt()).isBeforeOrEqualTo(day(-1));
	}

	@Test
	void aCalendarThatIsNotKnownIsRejected() {
		Schedule schedule = Schedule.of("report", DAILY, JobRequest.of("report"))
			.validity(Validity.ALWAYS.calendar("bank-days", ExcludedPolicy.SKIP));
		assertThatIllegalArgumentException().isThrownBy(() -> put(schedule))
			.withMessageContaining("the calendar 'bank-days'");
		this.store.calendars()
			.put(List.of(JobCalendar.of("bank-days", (day) -> day.getDayOfWeek() != DayOfWeek.SUNDAY)));
		put(schedule);
		assertThat(this.schedules.find("report").orElseThrow().occurrences().validity()).isEqualTo(schedule.validity());
	}

	private ScheduleTask task() {
		return new ScheduleTask(this.store, this.wakeUps, DeclaredSchedules.NONE, JobListener.NONE, StoreListener.NONE);
	}

	private void put(Schedule schedule) {
		this.schedules.put(schedule);
	}

	/** Three o'clock some days ago. */
	private Instant day(int before) {
		return this.today.minus(before, ChronoUnit.DAYS).plus(3, ChronoUnit.HOURS);
	}

}
