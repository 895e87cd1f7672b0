package io.rowqueue.engine.schedule;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;

import ch.qos.logback.classic.Level;
import io.rowqueue.FailJobException;
import io.rowqueue.JobContext;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.engine.enqueue.CheckedPayloads;
import io.rowqueue.engine.listen.StoreListener;
import io.rowqueue.engine.schedule.DeclaredSchedules.Declaration;
import io.rowqueue.engine.wakeup.WakeUps;
import io.rowqueue.listen.JobListener;
import io.rowqueue.schedule.BackfillRange;
import io.rowqueue.schedule.JobCalendar;
import io.rowqueue.schedule.MissedPolicy;
import io.rowqueue.schedule.OverlapPolicy;
import io.rowqueue.schedule.Rhythm;
import io.rowqueue.schedule.Schedule;
import io.rowqueue.schedule.ScheduleStatus;
import io.rowqueue.schedule.ScheduleStatus.Source;
import io.rowqueue.schedule.ScheduleStatus.State;
import io.rowqueue.schedule.Schedules;
import io.rowqueue.schedule.Validity;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.Log;
import io.rowqueue.testing.Stores;
import io.rowqueue.testing.TestProcess;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

/** Recurring jobs in the database; time passes by moving their due times back. */
class ScheduleTests {

	/** Due in half an hour, so that it is not while a test runs. */
	private static final Rhythm HOURLY = Rhythm
		.cron("0 %d * * * *".formatted((LocalTime.now(ZoneOffset.UTC).getMinute() + 30) % 60), "UTC");

	private static final Schedule REPORT = Schedule.of("report", HOURLY, JobRequest.of("report").queue("reports"));

	@AutoClose
	private final Engine engine = new Engine();

	private final ScheduleStore store = new ScheduleStore(this.engine.queueDatabase());

	private final WakeUps wakeUps = new Stores(this.engine.jdbc()).wakeUps();

	private final Schedules schedules = new ClusterSchedules(this.store, CheckedPayloads.ofDefaults(), this.wakeUps);

	private final List<String> outcomes = new ArrayList<>();

	private final ScheduleTask task = new ScheduleTask(this.store, this.wakeUps, DeclaredSchedules.NONE,
			JobListener.NONE, new StoreListener() {

				@Override
				public void due(String schedule, String outcome) {
					ScheduleTests.this.outcomes.add(schedule + " " + outcome);
				}

			});

	@Test
	void aScheduleEnqueuesOneJobWithItsDueTime() throws Exception {
		BlockingQueue<JobContext> runs = new LinkedBlockingQueue<>();
		this.engine.process().handle("report", (payload, context) -> runs.add(context)).startAndListen();
		this.schedules.put(REPORT);
		Instant next = status("report").nextRunAt();
		assertThat(next).isAfter(this.store.now()).isBefore(this.store.now().plusSeconds(3601));
		this.task.run();
		assertThat(jobs()).as("not due yet").isZero();
		Instant due = moveBack("report", 1);
		this.task.run();
		this.task.run();
		JobContext run = runs.take();
		assertThat(run.dueAt()).isEqualTo(due);
		assertThat(run.schedule()).isEqualTo("report");
		assertThat(run.queue()).isEqualTo("reports");
		ScheduleStatus status = status("report");
		assertThat(status.lastDueAt()).isEqualTo(due);
		assertThat(status.lastJobId()).isEqualTo(run.id());
		assertThat(status.nextRunAt()).isEqualTo(next);
		this.engine.awaitAllOver();
		assertThat(this.engine.finished()).isEqualTo(1);
		assertThat(runs).isEmpty();
	}

	@Test
	void anIntervalContinuesWhenTheClockOfTheServerWasSetBack() {
		this.schedules.put(Schedule.of("often", Rhythm.every(Duration.ofMinutes(5)), JobRequest.of("often")));
		this.schedules.put(REPORT);
		Instant report = status("report").nextRunAt();
		this.engine.jdbc().update("update rowqueue.schedule set next_run_at = next_run_at + interval '2 hours'");
		this.store.bringBack();
		assertThat(status("often").nextRunAt()).isBefore(this.store.now().plusSeconds(301));
		assertThat(status("report").nextRunAt()).as("due times of a cron expression are never repeated")
			.isEqualTo(report.plusSeconds(7200));
		assertThat(jobs()).isZero();
	}

	@Test
	void anIntervalThatBeginsLaterDoesNotBeginBefore() {
		Instant start = this.store.now().truncatedTo(ChronoUnit.SECONDS).plus(Duration.ofDays(2));
		this.schedules.put(Schedule.of("later", Rhythm.every(Duration.ofMinutes(5)), JobRequest.of("later"))
			.validity(Validity.ALWAYS.from(start)));
		this.store.bringBack();
		assertThat(status("later").nextRunAt()).isEqualTo(start);
		this.engine.jdbc().update("update rowqueue.schedule set next_run_at = next_run_at + interval '2 hours'");
		this.store.bringBack();
		assertThat(status("later").nextRunAt()).as("the clock of the server was set back").isEqualTo(start);
	}

	@Test
	void anIntervalIsStillCountedFromItsBeginningWhenTheClockOfTheServerWasSetBack() {
		Duration interval = Duration.ofMinutes(5);
		Instant now = this.store.now().truncatedTo(ChronoUnit.SECONDS);
		Instant start = now.minusSeconds(100);
		this.schedules.put(Schedule.of("often", Rhythm.every(interval), JobRequest.of("often"))
			.validity(Validity.ALWAYS.from(start)));
		this.engine.jdbc().update("update rowqueue.schedule set next_run_at = next_run_at + interval '50 minutes'");
		this.store.bringBack();
		assertThat(status("often").nextRunAt()).isEqualTo(start.plus(interval));
	}

	@Test
	void aScheduleIsSkippedWhileItsJobHasNotFinished() {
		this.schedules.put(REPORT);
		this.schedules.put(Schedule.of("beside", HOURLY, JobRequest.of("beside")).overlap(OverlapPolicy.QUEUE));
		for (int i = 0; i < 3; i++) {
			moveBack("report", 1);
			moveBack("beside", 1);
			this.task.run();
		}
		assertThat(this.engine.count("job where type = 'report'")).isEqualTo(1);
		assertThat(this.engine.count("job where type = 'beside'")).isEqualTo(3);
		assertThat(this.outcomes).filteredOn((outcome) -> outcome.startsWith("report"))
			.containsExactly("report enqueued", "report skipped", "report skipped");
		assertThat(status("report").lastSkippedAt()).isNotNull();
		assertThat(status("beside").lastSkippedAt()).isNull();
		this.engine.jdbc().update("update rowqueue.job set state = 'failed' where type = 'report'");
		moveBack("report", 1);
		this.task.run();
		assertThat(this.engine.count("job where type = 'report'")).as("one that failed has ended").isEqualTo(2);
	}

	@Test
	void aScheduleHandlesMissedDueTimesAccordingToItsPolicy() {
		Schedule queueing = Schedule.of("all", HOURLY, JobRequest.of("all")).overlap(OverlapPolicy.QUEUE);
		this.schedules.put(queueing.missed(MissedPolicy.ALL));
		this.schedules.put(Schedule.of("once", HOURLY, JobRequest.of("once")));
		this.schedules.put(Schedule.of("skip", Rhythm.every(Duration.ofHours(1)), JobRequest.of("skip"))
			.missed(MissedPolicy.SKIP));
		List.of("all", "once", "skip").forEach((name) -> moveBack(name, 5));
		this.engine.jdbc()
			.update("update rowqueue.schedule set next_run_at = next_run_at - interval '5 minutes'"
					+ " where name = 'skip'");
		this.task.run();
		assertThat(this.engine.count("job where type = 'all'")).isEqualTo(5);
		assertThat(this.engine.count("job where type = 'once'")).isEqualTo(1);
		assertThat(this.engine.count("job where type = 'skip'")).isZero();
		assertThat(this.engine.count("schedule where next_run_at > now()")).isEqualTo(3);
		assertThat(this.outcomes).filteredOn((outcome) -> !outcome.startsWith("all"))
			.containsExactlyInAnyOrder("once enqueued", "once missed", "skip missed");
		assertThat(this.outcomes).filteredOn((outcome) -> outcome.startsWith("all"))
			.hasSize(5)
			.containsOnly("all enqueued");
	}

	@Test
	void itsJobsAreLimitedTogetherWithOthersOfTheirKey() {
		JobRequest job = JobRequest.of("report")
			.limitKey("customer:42")
			.tolerance(Duration.ofMinutes(5))
			.maxAttempts(2)
			.priority(7);
		this.schedules.put(Schedule.of("report", HOURLY, job).overlap(OverlapPolicy.QUEUE));
		assertThat(status("report").limitKey()).isEqualTo("customer:42");
		assertThat(status("report").tolerance()).isEqualTo(Duration.ofMinutes(5));
		assertThat(status("report").maxAttempts()).isEqualTo(2);
		long holder = this.engine.enqueue(JobRequest.of("report").limitKey("customer:42"));
		this.engine.awaitState(holder, JobState.QUEUED);
		moveBack("report", 1);
		this.task.run();
		long due = Objects.requireNonNull(status("report").lastJobId());
		long triggered = this.schedules.trigger("report").orElseThrow();
		for (long id : new long[] { due, triggered }) {
			this.engine.awaitState(id, JobState.BLOCKED);
			assertThat(this.engine.job(id).maxAttempts()).isEqualTo(2);
			assertThat(this.engine
				.number("select count(*) from rowqueue.job where id = ? and limit_key = 'customer:42'", id))
				.isEqualTo(1);
		}
		this.engine.process().handle("report", (payload, context) -> {
		}).startAndListen();
		this.engine.awaitAllOver();
	}

	@Test
	void itsJobsHaveTagsHeadersAnExpiryAndOnFailureHoweverTheyAreEnqueued() {
		JobRequest job = REPORT.job()
			.tags("red", "blue")
			.header("tenant", "ada")
			.limitKey("customer:7")
			.fairnessKey("ada")
			.expiresIn(Duration.ofHours(3))
			.onFailure(JobRequest.of("apology", "no report").queue("mail").tags("sorry").header("tenant", "ada"));
		this.schedules.put(Schedule.of("report", HOURLY, job).overlap(OverlapPolicy.QUEUE));
		long revision = revision("report");
		this.schedules.put(Schedule.of("report", HOURLY, job).overlap(OverlapPolicy.QUEUE));
		assertThat(revision("report")).as("not written again").isEqualTo(revision);
		Instant before = this.store.now();
		moveBack("report", 1);
		this.task.run();
		assertThat(this.schedules.trigger("report")).isPresent();
		Instant due = Objects.requireNonNull(status("report").nextRunAt()).minus(Duration.ofHours(5));
		this.schedules.backfill("report", BackfillRange.missing(due, due.plusSeconds(1)));
		assertThat(this.engine.jdbc()
			.queryForList(
					"""
							select string_agg(name || '=' || value, ' ' order by name, value) from rowqueue.job_tag group by job_id""",
					String.class))
			.hasSize(3)
			.containsOnly("=blue =red tenant=ada");
		for (OffsetDateTime expiry : this.engine.jdbc()
			.queryForList("select expires_at from rowqueue.job_expiry", OffsetDateTime.class)) {
			assertThat(expiry.toInstant()).isBetween(before.plus(Duration.ofHours(3)),
					this.store.now().plus(Duration.ofHours(3)));
		}
		List<JobContext> contexts = new CopyOnWriteArrayList<>();
		List<JobContext> apologies = new CopyOnWriteArrayList<>();
		this.engine.process().handle("report", (payload, context) -> {
			contexts.add(context);
			throw new FailJobException("no figures");
		}).handle("apology", (payload, context) -> {
			assertThat(payload).isEqualTo("no report");
			apologies.add(context);
		}).startAndListen();
		await().until(() -> apologies.size() == 3);
		assertThat(apologies).allSatisfy((context) -> {
			assertThat(context.queue()).isEqualTo("mail");
			assertThat(context.tags()).containsExactly("sorry");
			assertThat(context.headers()).containsEntry("tenant", "ada");
		})
			.extracting((context) -> context.failedJobId().orElseThrow())
			.containsExactlyInAnyOrderElementsOf(contexts.stream().map(JobContext::id).toList());
		assertThat(contexts).hasSize(3).allSatisfy((context) -> {
			assertThat(context.tags()).containsExactlyInAnyOrder("red", "blue");
			assertThat(context.headers()).containsEntry("tenant", "ada").containsEntry("fairness-key", "ada");
			assertThat(context.schedule()).isEqualTo("report");
			assertThat(context.dueAt()).isNotNull();
			assertThat(context.expiresAt()).isAfter(before);
		});
	}

	@Test
	void whatAScheduleDecidesItselfIsRefused() {
		for (JobRequest job : List.of(REPORT.job().delay(Duration.ofHours(1)), REPORT.job().uniqueKey("report"),
				REPORT.job().window("night"), REPORT.job().after(17), REPORT.job().spreadOver(Duration.ofHours(1)),
				REPORT.job().expiresAt(Instant.parse("2030-01-01T00:00:00Z")),
				REPORT.job().onFailure(JobRequest.of("apology").runAt(Instant.parse("2030-01-01T00:00:00Z"))))) {
			assertThatIllegalArgumentException().isThrownBy(() -> Schedule.of("report", HOURLY, job))
				.withMessageContaining("job must");
		}
	}

	@Test
	void jitterPutsOffTheJob() {
		this.schedules.put(REPORT.jitter(Duration.ofHours(1000)));
		Instant due = moveBack("report", 1);
		this.task.run();
		Instant runAt = this.engine.jdbc()
			.queryForObject("select run_at from rowqueue.job", OffsetDateTime.class)
			.toInstant();
		assertThat(runAt).isAfter(due).isBeforeOrEqualTo(due.plus(Duration.ofHours(1000)));
	}

	@Test
	void aScheduleKeepsItsDueTimeUnlessItsRhythmChanges() {
		this.schedules.put(REPORT);
		Instant due = moveBack("report", 1);
		this.schedules.put(Schedule.of("report", HOURLY, JobRequest.of("other", List.of(1))));
		assertThat(status("report").nextRunAt()).isEqualTo(due);
		assertThat(status("report").type()).isEqualTo("other");
		assertThat(status("report").payload()).isEqualTo("[1]");
		this.schedules.put(Schedule.of("report", Rhythm.every(Duration.ofDays(1)), JobRequest.of("other")));
		assertThat(status("report").nextRunAt()).isAfter(this.store.now().plus(Duration.ofHours(23)));
	}

	@Test
	void aScheduleIsPausedAndResumedWithItsNextDueTime() {
		this.schedules.put(REPORT);
		assertThat(this.schedules.pause("report", "holidays")).isTrue();
		assertThat(this.schedules.pause("report", "again")).isFalse();
		assertThat(this.schedules.pause("unknown", null)).isFalse();
		moveBack("report", 3);
		this.task.run();
		assertThat(jobs()).isZero();
		assertThat(status("report").state()).isEqualTo(State.PAUSED);
		assertThat(status("report").pauseReason()).isEqualTo("holidays");
		this.schedules.put(REPORT.jitter(Duration.ofSeconds(1)));
		assertThat(status("report").state()).as("a declaration does not resume it").isEqualTo(State.PAUSED);
		assertThat(this.schedules.resume("report")).isTrue();
		assertThat(this.schedules.resume("report")).isFalse();
		this.task.run();
		assertThat(jobs()).as("what was due meanwhile is not made up for").isZero();
		assertThat(status("report").state()).isEqualTo(State.ACTIVE);
	}

	@Test
	void anIntervalThatIsResumedKeepsItsDueTimes() {
		this.schedules.put(Schedule.of("daily", Rhythm.every(Duration.ofHours(24)), JobRequest.of("daily")));
		Instant next = moveBack("daily", 20);
		this.schedules.pause("daily", "for a moment");
		assertThat(this.schedules.resume("daily")).isTrue();
		assertThat(status("daily").nextRunAt()).isEqualTo(next);
		this.schedules.pause("daily", "for a day");
		Instant missed = moveBack("daily", 30);
		assertThat(this.schedules.resume("daily")).isTrue();
		assertThat(status("daily").nextRunAt()).isEqualTo(missed.plus(Duration.ofHours(48)));
		assertThat(status("daily").next(missed.plusSeconds(1))).isEqualTo(missed.plus(Duration.ofHours(24)));
	}

	@Test
	void aScheduleThatIsDeclaredWithoutFurtherDueTimesHasEnded() {
		declare(REPORT);
		assertThat(status("report").state()).isEqualTo(State.ACTIVE);
		declare(REPORT.validity(Validity.ALWAYS.until(this.store.now())));
		assertThat(status("report").state()).isEqualTo(State.ENDED);
		declare(REPORT);
		assertThat(status("report").state()).isEqualTo(State.ACTIVE);
	}

	@Test
	void aScheduleThatIsDueWhenItsDeclarationEndsIsNotRun() {
		declare(REPORT);
		moveBack("report", 1);
		declare(REPORT.validity(Validity.ALWAYS.until(this.store.now().minusSeconds(7200))));
		this.task.run();
		assertThat(jobs()).isZero();
	}

	@Test
	void aScheduleIsTriggeredManuallyUnlessItsJobHasNotFinished() {
		this.schedules.put(Schedule.of("report", HOURLY, JobRequest.of("report", "text")));
		this.schedules.pause("report", null);
		Instant next = status("report").nextRunAt();
		long id = this.schedules.trigger("report").orElseThrow();
		assertThat(this.engine.job(id).payload()).isEqualTo("\"text\"");
		assertThat(Instant.parse(this.engine.jdbc()
			.queryForObject("select headers ->> 'due-at' from rowqueue.job where id = ?", String.class, id)))
			.isEqualTo(status("report").lastDueAt());
		assertThat(this.schedules.trigger("report")).as("its job waits").isEmpty();
		assertThat(this.schedules.trigger("unknown")).isEmpty();
		this.engine.control().cancel(id);
		assertThat(this.schedules.trigger("report")).isPresent();
		assertThat(status("report").nextRunAt()).isEqualTo(next);
	}

	@Test
	void aScheduleIsRemovedAndItsJobsStay() {
		this.schedules.put(REPORT);
		this.schedules.trigger("report");
		assertThat(this.schedules.remove("report")).isTrue();
		assertThat(this.schedules.remove("report")).isFalse();
		assertThat(this.schedules.find("report")).isEmpty();
		assertThat(this.schedules.list()).isEmpty();
		assertThat(jobs()).isEqualTo(1);
	}

	@Test
	void oneThatIsNeverDueIsRefused() {
		assertThatIllegalArgumentException()
			.isThrownBy(
					() -> this.schedules.put(Schedule.of("never", Rhythm.cron("0 0 0 30 2 *", "UTC"), REPORT.job())))
			.withMessageContaining("'never' is never due");
	}

	@Test
	void oneThatThisProcessCannotReadHoldsUpNoOther() {
		this.schedules.put(REPORT);
		this.schedules.put(Schedule.of("broken", HOURLY, JobRequest.of("broken")));
		this.engine.jdbc().update("update rowqueue.schedule set zone = 'Mars/Olympus' where name = 'broken'");
		moveBack("report", 1);
		this.engine.jdbc().update("update rowqueue.schedule set next_run_at = now() where name = 'broken'");
		try (Log log = new Log(ScheduleStore.class)) {
			this.task.run();
			this.task.run();
			assertThat(log.lines(Level.ERROR)).singleElement()
				.asString()
				.contains("cannot read the schedule 'broken'", "Mars/Olympus", "Schedules.remove");
		}
		assertThat(jobs()).isEqualTo(1);
		assertThat(this.task.yieldsTurn()).as("another process may be able to read it").isTrue();
		this.schedules.remove("broken");
		this.task.run();
		assertThat(this.task.yieldsTurn()).isFalse();
	}

	@Test
	void veryManyDueTimesLeaveRoomForOtherTasks() {
		this.schedules.put(Schedule.of("often", Rhythm.every(Duration.ofSeconds(1)), JobRequest.of("often"))
			.overlap(OverlapPolicy.QUEUE)
			.missed(MissedPolicy.ALL));
		this.engine.jdbc()
			.update("update rowqueue.schedule set next_run_at = date_trunc('second', now()) - interval '99 s'");
		this.engine.jdbc().update("""
				insert into rowqueue.schedule (%1$s, name)
				select %1$s, 'often ' || i from rowqueue.schedule, generate_series(1, 199) as i""".formatted("""
				source, cron, zone, every, type, queue, priority, tolerance, max_attempts, limit_key, payload, missed,
				overlap, jitter, next_run_at, declared_at"""));
		this.task.run();
		assertThat(this.engine.count("schedule where last_due_at is not null")).isEqualTo(100);
		this.task.run();
		assertThat(this.engine.count("schedule where last_due_at is not null")).isEqualTo(200);
	}

	@Test
	void manyThatThisProcessCannotReadHoldUpNoOther() {
		this.schedules.put(REPORT);
		moveBack("report", 1);
		putBroken();
		this.store.due(1);
		assertThat(this.store.due(1)).extracting(DueSchedule::name).containsExactly("report");
	}

	@Test
	void oneThatThisProcessCannotReadIsNotListedAndKeepsNoOtherFromBeingDeclared() {
		putBroken();
		declare(List.of(JobCalendar.except("bank-days", List.of())), REPORT);
		assertThat(this.schedules.list()).extracting(ScheduleStatus::name).containsExactly("report");
		assertThatIllegalArgumentException().isThrownBy(() -> this.schedules.find("broken"))
			.withMessageContaining("Mars/Olympus");
	}

	private void putBroken() {
		this.schedules.put(Schedule.of("broken", HOURLY, JobRequest.of("broken")));
		this.engine.jdbc()
			.update("update rowqueue.schedule set zone = 'Mars/Olympus', next_run_at = now() - interval '1 day'"
					+ " where name = 'broken'");
	}

	@Test
	void aScheduleLivesAsLongAsAWorkerDeclaresIt() {
		TestProcess old = this.engine.process()
			.with((process) -> declaring(process, REPORT))
			.handle("report", (payload, context) -> {
			})
			.startAndListen();
		await().until(() -> this.schedules.find("report").isPresent());
		TestProcess next = this.engine.process().with(this::declaring).handle("report", (payload, context) -> {
		}).startAndListen();
		makeOlder();
		this.store.noteDeclared();
		assertThat(status("report").undeclaredAt()).as("the old version runs beside the new one").isNull();
		old.stop();
		this.store.noteDeclared();
		assertThat(status("report").undeclaredAt()).isNotNull();
		assertThat(status("report").state()).as("a restart is no removal").isEqualTo(State.ACTIVE);
		this.engine.jdbc().update("update rowqueue.schedule set undeclared_at = now() - interval '61 seconds'");
		assertThat(status("report").state()).isEqualTo(State.DISABLED);
		moveBack("report", 1);
		this.task.run();
		assertThat(jobs()).isZero();
		this.engine.process().with((process) -> declaring(process, REPORT)).handle("report", (payload, context) -> {
		}).startAndListen();
		await().until(() -> status("report").state() == State.ACTIVE);
		await().untilAsserted(
				() -> assertThat(status("report").lastJobId()).as("it makes up for what it missed").isNotNull());
		next.stop();
	}

	@Test
	void schedulesOfCodeNeedNoDeclaration() {
		this.schedules.put(REPORT);
		makeOlder();
		assertThat(this.store.noteDeclared()).isEmpty();
	}

	private TestProcess.Builder declaring(TestProcess.Builder process, Schedule... schedules) {
		DeclaredSchedules declared = new DeclaredSchedules(
				Stream.of(schedules).map((each) -> new Declaration(each, null, null, Source.ANNOTATION)).toList(),
				List.of());
		return process.withMaintenance()
			.labels(declared.labels())
			.task((database, wakeUps) -> new ScheduleTask(new ScheduleStore(database), wakeUps, declared,
					JobListener.NONE, StoreListener.NONE));
	}

	private void declare(Schedule schedule) {
		declare(List.of(), schedule);
	}

	private void declare(List<JobCalendar> calendars, Schedule schedule) {
		new ScheduleTask(this.store, this.wakeUps,
				new DeclaredSchedules(List.of(new Declaration(schedule, null, null, Source.ANNOTATION)), calendars),
				JobListener.NONE, StoreListener.NONE)
			.prepare();
	}

	/** Longer ago than the time in which a missing declaration is tolerated. */
	private void makeOlder() {
		this.engine.jdbc().update("update rowqueue.schedule set declared_at = declared_at - interval '2 minutes'");
	}

	private Instant moveBack(String name, int hours) {
		this.engine.jdbc()
			.update("update rowqueue.schedule set next_run_at = next_run_at - ? * interval '1 hour' where name = ?",
					hours, name);
		return status(name).nextRunAt();
	}

	private long revision(String name) {
		return this.engine.number("select revision from rowqueue.schedule where name = ?", name);
	}

	private ScheduleStatus status(String name) {
		return this.schedules.find(name).orElseThrow();
	}

	private long jobs() {
		return this.engine.jobs();
	}

}
