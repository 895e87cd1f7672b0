package io.rowqueue.engine.window;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

import ch.qos.logback.classic.Level;
import io.rowqueue.HandlerOptions;
import io.rowqueue.JobQueue;
import io.rowqueue.JobQueueException;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.StopReason;
import io.rowqueue.engine.attempt.WorkerHooks;
import io.rowqueue.engine.enqueue.DeclaredTypes;
import io.rowqueue.engine.enqueue.EnqueueHooks;
import io.rowqueue.engine.lease.DirectStart;
import io.rowqueue.engine.listen.StoreListener;
import io.rowqueue.limit.Limit;
import io.rowqueue.limit.LimitKind;
import io.rowqueue.listen.JobListener;
import io.rowqueue.masking.StoredTextMasker;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.Log;
import io.rowqueue.testing.TestProcess;
import io.rowqueue.window.ClosingPolicy;
import io.rowqueue.window.Window;
import io.rowqueue.window.WindowStatus;
import io.rowqueue.window.Windows;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** Jobs whose queue or type has a window; it opens and closes by moving its row. */
class WindowedJobsTests {

	@AutoClose
	private final Engine engine = new Engine();

	private final WindowStore store = new WindowStore(this.engine.queueDatabase());

	private final Windows windows = new ClusterWindows(this.store);

	private final JobQueue queue = this.engine
		.queue(new EnqueueHooks(List::of, () -> JobListener.NONE, DeclaredTypes.NONE, DirectStart.NONE, this.store));

	@Test
	void jobsWaitWhileTheirWindowIsClosedAndOthersDoNot() {
		this.windows.put(closed().queues("reports", "closing:*").types("rebuild"));
		process().handle("report", (payload, context) -> {
		}).handle("rebuild", (payload, context) -> {
		}).startAndListen();
		long ofClass = this.engine.enqueue(JobRequest.of("report").queue("closing:ledger"));
		long ofQueue = this.engine.enqueue(JobRequest.of("report").queue("reports"));
		long ofType = this.engine.enqueue(JobRequest.of("rebuild"));
		long other = this.engine.enqueue(JobRequest.of("report"));
		this.engine.awaitState(other, JobState.SUCCEEDED);
		assertThat(this.engine.job(ofClass).state()).isEqualTo(JobState.QUEUED);
		assertThat(this.engine.job(ofQueue).state()).isEqualTo(JobState.QUEUED);
		assertThat(this.engine.job(ofType).state()).isEqualTo(JobState.QUEUED);
		open();
		this.engine.awaitState(ofClass, JobState.SUCCEEDED);
		this.engine.awaitState(ofQueue, JobState.SUCCEEDED);
		this.engine.awaitState(ofType, JobState.SUCCEEDED);
	}

	@Test
	void limitedJobsWaitWhileTheirWindowIsClosed() {
		this.engine.limits().set(LimitKind.QUEUE, "reports", Limit.concurrency(3), true);
		jobsWaitWhileTheirWindowIsClosedAndOthersDoNot();
	}

	@Test
	void jobsWithTheirOwnWindowAreDueWhenItOpens() {
		this.windows.put(closed());
		process().withMaintenance().handle("report", (payload, context) -> {
		}).startAndListen();
		long id = enqueue(JobRequest.of("report").window("night").maxAttempts(1));
		WindowStatus status = this.windows.find("night").orElseThrow();
		assertThat(this.engine.job(id).state()).isEqualTo(JobState.SCHEDULED);
		assertThat(this.engine.job(id).runAt()).isEqualTo(status.openFrom());
		this.engine.control().reschedule(id, Duration.ZERO);
		Awaitility.await()
			.until(() -> this.engine.number("select lease from rowqueue.job where id = ?", id) == 1
					&& this.engine.job(id).state() == JobState.SCHEDULED);
		assertThat(this.engine.job(id).runAt()).as("it was closed when its turn came").isEqualTo(status.openFrom());
		assertThat(this.engine.job(id).attempt()).isZero();
		open();
		this.engine.control().reschedule(id, Duration.ZERO);
		assertThat(this.engine.awaitState(id, JobState.SUCCEEDED).attempt()).isEqualTo(1);
	}

	@Test
	void jobsOfAWindowThatHasClosedAndWasNotMovedYetAreDueWhenItOpensNext() {
		this.windows.put(closed());
		Instant opens = this.windows.find("night").orElseThrow().openFrom();
		long id = enqueue(JobRequest.of("report").window("night"));
		move("2 days", "1 day");
		this.engine.jdbc().update("update rowqueue.job set state = 'queued', run_at = now(), order_at = now()");
		process().handle("report", (payload, context) -> {
		}).startAndListen();
		this.engine.awaitState(id, JobState.SCHEDULED);
		assertThat(this.engine.job(id).runAt()).isEqualTo(opens);
	}

	/** The process that wrote it has a newer JDK, which knows more zones. */
	@Test
	void jobsOfAWindowThatThisProcessCannotReadRunWhileItIsOpen() {
		this.windows.put(Window.of("always", "UTC", "00:00-24:00"));
		makeUnreadable("always");
		long id = enqueue(JobRequest.of("report").window("always").maxAttempts(1));
		process().concurrency(1).handle("report", (payload, context) -> {
		}).startAndListen();
		this.engine.awaitState(id, JobState.SUCCEEDED);
	}

	@Test
	void jobsOfAWindowThatThisProcessCannotReadWaitUntilAnotherOneHasMovedIt() {
		this.windows.put(closed());
		long id = enqueue(JobRequest.of("report").window("night").maxAttempts(1));
		move("2 days", "1 day");
		makeUnreadable("night");
		this.engine.jdbc().update("update rowqueue.job set state = 'queued', run_at = now(), order_at = now()");
		process().handle("report", (payload, context) -> {
		}).startAndListen();
		this.engine.awaitState(id, JobState.SCHEDULED);
		assertThat(this.engine.job(id).runAt()).isBetween(this.store.now(), this.store.now().plusSeconds(60));
	}

	@Test
	void oneThatThisProcessCannotReadIsNotListedAndCanBeNamedByAHandler() {
		this.windows.put(Window.of("always", "UTC", "00:00-24:00"));
		this.windows.put(Window.of("unreadable", "UTC", "00:00-24:00"));
		makeUnreadable("unreadable");
		assertThat(this.windows.list()).extracting((status) -> status.window().name()).containsExactly("always");
		assertThat(new DeclaredWindows(List.of(), Set.of(), Map.of()).known(this.store)).containsExactly("always",
				"unreadable");
		assertThatIllegalArgumentException().isThrownBy(() -> this.windows.find("unreadable"))
			.withMessageContaining("Europe/Newtown");
	}

	private void makeUnreadable(String window) {
		this.engine.jdbc().update("update rowqueue.time_window set zone = 'Europe/Newtown' where name = ?", window);
	}

	@Test
	void jobsWithTheirOwnWindowAreDueAtOnceWhileItIsOpenAndRejectedIfItDoesNotExist() {
		this.windows.put(Window.of("always", "UTC", "00:00-24:00"));
		long id = enqueue(JobRequest.of("report").window("always"));
		assertThat(this.engine.job(id).state()).isEqualTo(JobState.QUEUED);
		assertThatExceptionOfType(JobQueueException.class)
			.isThrownBy(() -> enqueue(JobRequest.of("report").window("unknown")))
			.withMessageContaining("There is no window 'unknown'");
	}

	@Test
	void aQueueWhoseWindowIsClosedIsNotPaused() {
		this.windows.put(closed().queues("reports"));
		assertThat(this.engine.control().pauses()).isEmpty();
		assertThat(this.engine.control().resumeQueue("reports")).isFalse();
	}

	@Test
	void pausedJobsRemainPausedWhenTheWindowOpens() {
		this.windows.put(closed().queues("reports"));
		this.engine.control().pauseQueue("reports", "moving");
		open();
		process().handle("report", (payload, context) -> {
		}).startAndListen();
		long id = this.engine.enqueue(JobRequest.of("report").queue("reports"));
		this.engine.awaitState(this.engine.enqueue("report"), JobState.SUCCEEDED);
		assertThat(this.engine.job(id).state()).isEqualTo(JobState.QUEUED);
	}

	@Test
	void aClosedWindowThatIsNotMovedStaysClosed() {
		this.windows.put(closed().queues("reports"));
		move("2 days", "1 day");
		long id = this.engine.enqueue(JobRequest.of("report").queue("reports"));
		process().handle("report", (payload, context) -> {
		}).startAndListen();
		this.engine.awaitState(this.engine.enqueue("report"), JobState.SUCCEEDED);
		assertThat(this.engine.job(id).state()).isEqualTo(JobState.QUEUED);
	}

	@Test
	void maintenanceMovesItToItsNextOpening() {
		Window window = closed().queues("reports");
		this.windows.put(window);
		WindowStatus before = this.windows.find("night").orElseThrow();
		move("2 days", "1 day");
		new WindowTask(this.store, () -> {
		}).run();
		assertThat(this.windows.find("night")).contains(before);
		assertThat(this.engine.count("pause where open_from > clock_timestamp()")).isEqualTo(1);
	}

	@Test
	void aWindowThatThisProcessCannotReadKeepsNoOtherFromBeingMoved() {
		this.windows.put(Window.of("another", "UTC", "00:00-24:00"));
		this.windows.put(closed().queues("reports"));
		WindowStatus before = this.windows.find("night").orElseThrow();
		makeUnreadable("another");
		move("2 days", "1 day");
		WindowTask task = new WindowTask(this.store, () -> {
		});
		try (Log log = new Log(WindowStore.class)) {
			task.run();
			task.run();
			assertThat(log.lines(Level.ERROR)).singleElement().asString().contains("'another'", "Europe/Newtown");
		}
		assertThat(task.yieldsTurn()).as("another process may be able to read it").isTrue();
		this.windows.remove("another");
		task.run();
		assertThat(task.yieldsTurn()).isFalse();
		assertThat(this.windows.find("night")).contains(before);
	}

	@Test
	void processesThatKnowDifferentRulesOfItsZoneDoNotMoveItToAndFro() {
		this.windows.put(closed().queues("reports"));
		move("-3 hours", "-4 hours"); // as the other process says
		WindowStatus before = this.windows.find("night").orElseThrow();
		new WindowTask(this.store, () -> {
		}).run();
		assertThat(this.windows.find("night")).contains(before);
	}

	@Test
	void oneThatIsChangedOrRemovedHoldsNoLonger() {
		this.windows.put(closed().queues("reports", "mail"));
		this.windows.put(closed().queues("mail").types("rebuild"));
		assertThat(this.engine.jdbc()
			.queryForList("select kind || ' ' || name from rowqueue.pause order by 1", String.class))
			.containsExactly("queue mail", "type rebuild");
		assertThat(this.windows.remove("night")).isTrue();
		assertThat(this.windows.remove("night")).isFalse();
		assertThat(this.engine.count("pause")).isZero();
		assertThat(this.windows.list()).isEmpty();
	}

	@Test
	void aDeclaredWindowRemainsUntilItIsRemovedAndShowsWhetherItIsDeclared() {
		declare(Set.of(), Map.of(), closed().queues("reports"));
		assertThat(this.windows.find("night").orElseThrow().declared()).isFalse();
		process().labels(List.of("window:night")).handle("report", (payload, context) -> {
		}).startAndListen();
		assertThat(this.windows.find("night").orElseThrow().declared()).isTrue();
	}

	@Test
	void aTypeIsBoundByItsHandlerToo() {
		declare(Set.of("rebuild"), Map.of("rebuild", "night"), closed());
		process().handle("report", (payload, context) -> {
		}).handle("rebuild", (payload, context) -> {
		}).startAndListen();
		long bound = this.engine.enqueue("rebuild");
		this.engine.awaitState(this.engine.enqueue("report"), JobState.SUCCEEDED);
		assertThat(this.engine.job(bound).state()).isEqualTo(JobState.QUEUED);
		assertThat(this.windows.find("night").orElseThrow().handlerTypes()).containsExactly("rebuild");
		open();
		this.engine.awaitState(bound, JobState.SUCCEEDED);
	}

	@Test
	void whatAHandlerSaysStaysWhenOthersPutTheWindow() {
		declare(Set.of("rebuild"), Map.of("rebuild", "night"), closed().types("index"));
		this.windows.put(closed().types("archive"));
		declare(Set.of("other"), Map.of(), closed().queues("mail"));
		assertThat(bound()).containsExactly("queue mail night", "type rebuild night");
		assertThat(this.windows.find("night").orElseThrow().window().types()).isEmpty();
	}

	@Test
	void theProcessThatStartsLastBindsItsTypes() {
		declare(Set.of("rebuild"), Map.of("rebuild", "night"), closed());
		this.windows.put(Window.of("day", "UTC", "08:00-18:00").types("rebuild"));
		declare(Set.of("rebuild"), Map.of("rebuild", "day"));
		assertThat(bound()).containsExactly("type rebuild day");
		declare(Set.of("rebuild"), Map.of());
		assertThat(bound()).as("the window itself has the type").containsExactly("type rebuild day");
		this.windows.put(Window.of("day", "UTC", "08:00-18:00"));
		assertThat(bound()).isEmpty();
	}

	@Test
	void runningOnesFinishWhenItCloses() throws Exception {
		this.windows.put(closed().queues("reports"));
		open();
		CountDownLatch runs = new CountDownLatch(1);
		CountDownLatch goOn = new CountDownLatch(1);
		process().handle("report", (payload, context) -> {
			runs.countDown();
			goOn.await();
		}).startAndListen();
		long id = this.engine.enqueue(JobRequest.of("report").queue("reports"));
		runs.await();
		move("-1 hour", "-2 hours");
		this.engine.awaitState(id, JobState.RUNNING);
		goOn.countDown();
		assertThat(this.engine.awaitState(id, JobState.SUCCEEDED).attempt()).isEqualTo(1);
	}

	@Test
	void runningOnesAreStoppedWhereThatIsThePolicyAndLoseNoAttempt() throws Exception {
		this.windows.put(closed().queues("reports", "closing:*").closing(ClosingPolicy.STOP));
		open();
		Map<Long, StopReason> reasons = new ConcurrentHashMap<>();
		Set<Long> resumed = ConcurrentHashMap.newKeySet();
		CountDownLatch run = new CountDownLatch(2);
		process().handle("report", (payload, context) -> {
			if (reasons.containsKey(context.id())) {
				assertThat(resumed.add(context.id())).isTrue();
				return;
			}
			run.countDown();
			try {
				new CountDownLatch(1).await();
			}
			finally {
				reasons.put(context.id(), context.stopReason());
			}
		}).startAndListen();
		List<Long> ids = List.of(this.engine.enqueue(JobRequest.of("report").queue("reports").maxAttempts(1)),
				this.engine.enqueue(JobRequest.of("report").queue("closing:ledger").maxAttempts(1)));
		run.await();
		move("-1 hour", "-2 hours");
		for (long id : ids) {
			this.engine.awaitState(id, JobState.QUEUED);
			assertThat(reasons).containsEntry(id, StopReason.WINDOW_CLOSED);
			assertThat(this.engine.job(id).attempt()).isZero();
		}
		open();
		for (long id : ids) {
			assertThat(this.engine.awaitState(id, JobState.SUCCEEDED).attempt()).isEqualTo(1);
		}
		assertThat(resumed).containsExactlyInAnyOrderElementsOf(ids);
	}

	private void declare(Set<String> types, Map<String, String> bound, Window... declared) {
		new DeclaredWindows(List.of(declared), types, bound).write(this.store);
	}

	private List<String> bound() {
		return this.engine.jdbc()
			.queryForList("select kind || ' ' || name || ' ' || source from rowqueue.pause order by 1", String.class);
	}

	@Test
	void aJobOfACallWhoseOwnWindowHasClosedIsPutOffAndTheOthersRun() {
		this.windows.put(Window.of("day", "UTC", "00:00-24:00"));
		long kept = enqueue(JobRequest.of("a").priority(1).window("day").maxAttempts(1));
		long still = enqueue(JobRequest.of("a").window("day").maxAttempts(1));
		for (int i = 0; i < 3; i++) {
			this.engine.enqueue(JobRequest.of("a"));
		}
		this.engine.jdbc()
			.update("update rowqueue.time_window set open_from = clock_timestamp() + interval '1 hour',"
					+ " open_until = clock_timestamp() + interval '2 hours'");
		List<Integer> sizes = new CopyOnWriteArrayList<>();
		process()
			.register((handlers) -> handlers.addCoalescing("a", Integer.class, HandlerOptions.NONE.coalesce(10),
					(jobs) -> sizes.add(jobs.size())))
			.start();
		this.engine.awaitState(kept, JobState.SCHEDULED);
		this.engine.awaitState(still, JobState.SCHEDULED);
		Awaitility.await().until(() -> this.engine.finished() == 3);
		assertThat(sizes).containsExactly(3);
		assertThat(this.engine.job(kept).attempt()).isZero();
		assertThat(this.engine.job(kept).runAt()).isEqualTo(this.windows.find("day").orElseThrow().openFrom());
	}

	private TestProcess.Builder process() {
		return this.engine.process()
			.hooks(new WorkerHooks(List.of(), List.of(), JobListener.NONE, StoreListener.NONE, StoredTextMasker.NONE,
					this.store));
	}

	private long enqueue(JobRequest request) {
		return this.queue.enqueue(request).id();
	}

	/** One that opens in two hours by the database's clock, for an hour. */
	private Window closed() {
		Instant from = this.store.now().plus(Duration.ofHours(2));
		DateTimeFormatter minutes = DateTimeFormatter.ofPattern("HH:mm").withZone(ZoneOffset.UTC);
		return Window.of("night", "UTC", minutes.format(from) + "-" + minutes.format(from.plus(Duration.ofHours(1))));
	}

	private void open() {
		move("1 hour", "-1 hour");
	}

	/** Lets it have opened and closed so long ago. */
	private void move(String from, String until) {
		for (String table : List.of("time_window", "pause")) {
			this.engine.jdbc()
				.update("update rowqueue." + table + " set open_from = clock_timestamp() - ?::interval,"
						+ " open_until = clock_timestamp() - ?::interval where open_from is not null", from, until);
		}
	}

}
