package io.rowqueue.engine.schedule;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Future;

import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.control.JobControl;
import io.rowqueue.control.RetryResult;
import io.rowqueue.engine.enqueue.CheckedPayloads;
import io.rowqueue.engine.lease.Failure;
import io.rowqueue.engine.lease.Lease;
import io.rowqueue.engine.schedule.ScheduleRun.DueTime;
import io.rowqueue.engine.schedule.ScheduleStore.ScheduledJob;
import io.rowqueue.engine.window.WindowStore;
import io.rowqueue.schedule.Rhythm;
import io.rowqueue.schedule.Schedule;
import io.rowqueue.schedule.ScheduleStatus.Source;
import io.rowqueue.schedule.Schedules;
import io.rowqueue.schedule.Validity;
import io.rowqueue.testing.OpenTransaction;
import io.rowqueue.testing.StoreDatabase;
import io.rowqueue.window.Window.Opening;
import io.rowqueue.window.Window;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Recurring jobs and windows that transactions of the application change: they may stay
 * open for long.
 */
class SharedScheduleTests {

	private static final Duration HOUR = Duration.ofHours(1);

	@RegisterExtension
	static final StoreDatabase database = new StoreDatabase();

	private final long worker = database.worker();

	private final ScheduleStore schedules = new ScheduleStore(database.queueDatabase());

	private final WindowStore windows = new WindowStore(database.queueDatabase());

	@Test
	void oneThatATransactionHasTriggeredHoldsUpNoOther() throws Exception {
		put("a", "b");
		List<DueSchedule> due = makeDue();
		assertThat(due).hasSize(2);
		try (OpenTransaction application = database.begin()) {
			schedules(application).trigger("a");
			assertThat(this.schedules.due(1)).extracting(DueSchedule::name).containsExactly("b");
			assertThat(fireInTime(due)).extracting(ScheduledJob::schedule).containsExactly("b");
		}
		assertThat(fireInTime(this.schedules.due(10))).extracting(ScheduledJob::schedule).containsExactly("a");
	}

	@Test
	void aScheduleThatATransactionPausesDelaysNoStart() throws Exception {
		put("a", "b");
		try (OpenTransaction application = database.begin()) {
			schedules(application).pause("a", "for a moment");
			StoreDatabase.result(database.async(() -> {
				put("a", "b");
				return this.schedules.noteDeclared();
			}));
			application.commit();
		}
		assertThat(
				database.query("select paused_at is not null from {schema}.schedule where name = 'a'", Boolean.class))
			.isTrue();
	}

	@Test
	void aScheduleThatIsChangedWhileItIsResumedIsDueAccordingToTheChange() throws Exception {
		put("a");
		this.schedules.pause("a", null);
		Instant changed = database.now().plus(Duration.ofMinutes(5)).truncatedTo(ChronoUnit.SECONDS);
		Schedules resuming = new ClusterSchedules(this.schedules, CheckedPayloads.ofDefaults(),
				database.jobs().wakeUps());
		try (OpenTransaction application = database.begin()) {
			schedules(application)
				.put(new NewSchedule(Schedule.of("a", Rhythm.every(Duration.ofMinutes(5)), JobRequest.of("recurring"))
					.validity(Validity.ALWAYS.from(changed)), "{}", null, Source.ANNOTATION, changed));
			Future<Boolean> resumed = database.async(() -> resuming.resume("a"));
			database.awaitBlockedStatement();
			application.commit();
			assertThat(StoreDatabase.result(resumed)).isTrue();
		}
		assertThat(this.schedules.find("a").orElseThrow().nextRunAt()).isEqualTo(changed);
	}

	@Test
	void oneOfTwoConcurrentTriggersEnqueuesAJob() throws Exception {
		put("a");
		try (OpenTransaction first = database.begin()) {
			assertThat(schedules(first).trigger("a")).isPresent();
			Future<Optional<ScheduledJob>> second = database.async(() -> this.schedules.trigger("a"));
			database.awaitBlockedStatement();
			first.commit();
			assertThat(StoreDatabase.result(second)).as("the job of the first one waits").isEmpty();
		}
		assertThat(jobs()).isEqualTo(1);
	}

	@Test
	void oneThatIsTriggeredWhileItsDueTimePassesEnqueuesOneJob() throws Exception {
		put("a");
		List<DueSchedule> due = makeDue();
		try (OpenTransaction maintenance = database.begin()) {
			assertThat(schedules(maintenance).fire(runs(due))).hasSize(1);
			Future<Optional<ScheduledJob>> trigger = database.async(() -> this.schedules.trigger("a"));
			database.awaitBlockedStatement();
			maintenance.commit();
			assertThat(StoreDatabase.result(trigger)).as("the job of the due time waits").isEmpty();
		}
		assertThat(jobs()).isEqualTo(1);
	}

	@Test
	void aTriggerThatWaitedForOneThatRolledBackEnqueuesAJob() throws Exception {
		put("a");
		Future<Optional<ScheduledJob>> second;
		try (OpenTransaction first = database.begin()) {
			schedules(first).trigger("a");
			second = database.async(() -> this.schedules.trigger("a"));
			database.awaitBlockedStatement();
		}
		assertThat(StoreDatabase.result(second)).isPresent();
		assertThat(jobs()).isEqualTo(1);
	}

	@Test
	void aFailedJobIsNotRetriedBesideTheNextOneOfItsSchedule() throws Exception {
		put("a");
		long first = triggerAndFail();
		long second = this.schedules.trigger("a").orElseThrow().jobId();
		JobControl control = database.jobs().control(database.jobs().wakeUps());
		assertThat(control.retry(first)).as("the second one waits").isEqualTo(RetryResult.OVERLAPS);
		assertThat(database.state(first)).isEqualTo(JobState.FAILED);
		Lease lease = database.claimOne(this.worker).lease();
		assertThat(lease.jobId()).isEqualTo(second);
		assertThat(control.retry(first)).as("the second one runs").isEqualTo(RetryResult.OVERLAPS);
		database.jobs().succeed(this.worker, List.of(lease));
		assertThat(control.retry(first)).isEqualTo(RetryResult.QUEUED);
		assertThat(this.schedules.trigger("a")).as("the first one waits again").isEmpty();
		assertThat(fireInTime(makeDue())).extracting(ScheduledJob::held).containsExactly(true);
		database.jobs().succeed(this.worker, List.of(database.claimOne(this.worker).lease()));
		assertThat(this.schedules.trigger("a")).isPresent();
	}

	@Test
	void aRetryDoesNotWaitForATransactionThatHasTriggeredItsSchedule() throws Exception {
		put("a");
		long first = triggerAndFail();
		JobControl control = database.jobs().control(database.jobs().wakeUps());
		try (OpenTransaction application = database.begin()) {
			schedules(application).trigger("a");
			assertThat(StoreDatabase.result(database.async(() -> control.retry(first))))
				.isEqualTo(RetryResult.OVERLAPS);
		}
		assertThat(control.retry(first)).isEqualTo(RetryResult.QUEUED);
	}

	private long triggerAndFail() {
		long job = this.schedules.trigger("a").orElseThrow().jobId();
		Lease lease = database.claimOne(this.worker).lease();
		database.jobs().outcomes().fail(this.worker, List.of(new Failure(lease, "error", null)));
		return job;
	}

	@Test
	void aScheduleThatIsStoredAnewWhileItIsDueIsNotDueAccordingToTheOldOne() {
		put("a");
		List<DueSchedule> due = makeDue();
		this.schedules.remove("a");
		put("a");
		assertThat(fireInTime(due)).isEmpty();
		assertThat(jobs()).isZero();
	}

	@Test
	void aWindowThatATransactionChangesIsNotWaitedForWhenItIsMoved() throws Exception {
		Window window = window("00:00-12:00");
		Opening opening = window.opening(this.windows.now());
		this.windows.put(window, opening, true);
		Opening next = window.opening(opening.until().plusSeconds(1));
		try (OpenTransaction application = database.begin()) {
			new WindowStore(application.database()).put(window("00:00-13:00"), opening, true);
			StoreDatabase.result(database.async(() -> {
				this.windows.move(window, next);
				return null;
			}));
		}
		assertThat(this.windows.find("w").orElseThrow().openFrom()).isEqualTo(opening.from());
		this.windows.move(window, next);
		assertThat(this.windows.find("w").orElseThrow().openFrom()).isEqualTo(next.from());
	}

	@Test
	void handlersDoNotWaitForATransactionThatChangesTheirWindow() throws Exception {
		Window window = window("00:00-12:00");
		this.windows.put(window, window.opening(this.windows.now()), true);
		this.windows.bind(Set.of("type", "other"), Map.of("type", "w"));
		try (OpenTransaction application = database.begin()) {
			new WindowStore(application.database()).put(window("00:00-13:00"), window.opening(this.windows.now()),
					true);
			StoreDatabase.result(database.async(() -> {
				this.windows.bind(Set.of("type", "other"), Map.of("type", "w"));
				return null;
			}));
			application.commit();
		}
		assertThat(this.windows.find("w").orElseThrow().handlerTypes()).containsExactly("type");
		this.windows.bind(Set.of("type", "other"), Map.of("other", "w"));
		assertThat(this.windows.find("w").orElseThrow().handlerTypes()).containsExactly("other");
	}

	@Test
	void aWindowThatTwoTransactionsChangeClosesNothingThatItDoesNotName() throws Exception {
		Window window = window("00:00-12:00");
		Opening opening = window.opening(this.windows.now());
		this.windows.put(window, opening, true);
		try (OpenTransaction application = database.begin()) {
			new WindowStore(application.database()).put(window.queues("reports"), opening, true);
			Future<Boolean> put = database.async(() -> {
				this.windows.put(window.queues("mails"), opening, true);
				return true;
			});
			database.awaitBlockedStatement();
			application.commit();
			StoreDatabase.result(put);
		}
		assertThat(database.list("select name from {schema}.pause", String.class)).containsExactly("mails");
	}

	@Test
	void aWindowThatIsRemovedWhileAnotherTransactionChangesItClosesNothing() throws Exception {
		Window window = window("00:00-12:00");
		Opening opening = window.opening(this.windows.now());
		this.windows.put(window, opening, true);
		try (OpenTransaction application = database.begin()) {
			new WindowStore(application.database()).put(window.queues("reports"), opening, true);
			Future<Boolean> removed = database.async(() -> this.windows.remove("w"));
			database.awaitBlockedStatement();
			application.commit();
			assertThat(StoreDatabase.result(removed)).isTrue();
		}
		assertThat(database.count("pause")).isZero();
	}

	private void put(String... names) {
		for (String name : names) {
			this.schedules.put(new NewSchedule(Schedule.of(name, Rhythm.every(HOUR), JobRequest.of("recurring")), "{}",
					null, Source.ANNOTATION, database.now().plus(HOUR)));
		}
	}

	private static ScheduleStore schedules(OpenTransaction transaction) {
		return new ScheduleStore(transaction.database());
	}

	private List<DueSchedule> makeDue() {
		database.update("update {schema}.schedule set next_run_at = next_run_at - interval '1 hour'");
		return this.schedules.due(10);
	}

	private List<ScheduledJob> fireInTime(List<DueSchedule> due) {
		return StoreDatabase.result(database.async(() -> this.schedules.fire(runs(due))));
	}

	private static List<ScheduleRun> runs(List<DueSchedule> due) {
		return due.stream()
			.map((each) -> new ScheduleRun(each.name(), each.revision(),
					List.of(new DueTime(each.dueAt(), each.dueAt())), false, each.dueAt().plus(HOUR)))
			.toList();
	}

	private static Window window(String times) {
		return Window.of("w", "UTC", times);
	}

	private static int jobs() {
		return database.count("job where type = 'recurring'");
	}

}
