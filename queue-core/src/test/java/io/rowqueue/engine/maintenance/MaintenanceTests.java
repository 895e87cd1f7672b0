package io.rowqueue.engine.maintenance;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import ch.qos.logback.classic.Level;
import io.rowqueue.engine.history.RetainTask;
import io.rowqueue.engine.history.Retention;
import io.rowqueue.engine.support.Outage;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.Log;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class MaintenanceTests {

	@AutoClose
	private final Engine engine = new Engine();

	private final MaintenanceStore store = new MaintenanceStore(this.engine.queueDatabase());

	@Test
	void maintenanceIsSharedByAllProcesses() throws InterruptedException {
		AtomicInteger runs = new AtomicInteger();
		CountDownLatch offers = new CountDownLatch(8);
		Task task = new TestTask("retain", Duration.ofHours(1), offers, runs::incrementAndGet);
		Maintenance one = maintenance(this.store, List.of(task));
		Maintenance two = maintenance(this.store, List.of(task));
		one.start();
		two.start();
		offers.await();
		one.stop();
		two.stop();
		assertThat(runs).hasValue(1);
	}

	@Test
	void maintenanceRunsTasksThatOtherProcessesDoNotHave() throws InterruptedException {
		CountDownLatch common = new CountDownLatch(1);
		CountDownLatch own = new CountDownLatch(1);
		Task known = new TestTask("retain", Duration.ofMillis(1), new CountDownLatch(0), common::countDown);
		Maintenance other = maintenance(this.store, List.of(known));
		other.start();
		common.await();
		Maintenance maintenance = maintenance(this.store,
				List.of(known, new TestTask("own", Duration.ofMillis(1), new CountDownLatch(0), own::countDown)));
		maintenance.start();
		own.await();
		maintenance.stop();
		other.stop();
	}

	@Test
	void maintenanceRunsATaskAgainAfterItsInterval() throws InterruptedException {
		CountDownLatch runs = new CountDownLatch(3);
		Maintenance maintenance = maintenance(this.store,
				List.of(new TestTask("promote", Duration.ofMillis(1), new CountDownLatch(0), runs::countDown)));
		maintenance.start();
		runs.await();
		maintenance.stop();
	}

	@Test
	void maintenanceRunsTheOtherTasksWhenOneFails() throws InterruptedException {
		CountDownLatch failures = new CountDownLatch(3);
		CountDownLatch runs = new CountDownLatch(3);
		Maintenance maintenance = maintenance(this.store,
				List.of(new TestTask("promote", Duration.ofMillis(1), new CountDownLatch(0), () -> {
					failures.countDown();
					throw new IllegalStateException("broken");
				}), new TestTask("recover", Duration.ofMillis(1), new CountDownLatch(0), runs::countDown)));
		try (Log log = new Log(Outage.class)) {
			maintenance.start();
			failures.await();
			runs.await();
			maintenance.stop();
			assertThat(log.lines(Level.INFO)).singleElement()
				.asString()
				.startsWith("rowqueue-maintain (promote) failed and retries until it succeeds");
		}
	}

	@Test
	void maintenancePreparesEachTaskOnceAndTriesAgainWithoutHoldingUpTheOthers() throws InterruptedException {
		CountDownLatch failures = new CountDownLatch(2);
		AtomicInteger prepared = new AtomicInteger();
		CountDownLatch runs = new CountDownLatch(3);
		Maintenance maintenance = maintenance(this.store, List.of(new Task() {

			@Override
			public String name() {
				return "promote";
			}

			@Override
			public Duration interval() {
				return Duration.ofMillis(1);
			}

			@Override
			public boolean isReady() {
				return false;
			}

			@Override
			public void run() {
			}

			@Override
			public void prepare() {
				if (failures.getCount() > 0) {
					failures.countDown();
					throw new IllegalStateException("broken");
				}
				prepared.incrementAndGet();
			}

		}, new TestTask("retain", Duration.ofMillis(1), new CountDownLatch(0), () -> {
			if (prepared.get() > 0) {
				runs.countDown();
			}
		})));
		maintenance.start();
		runs.await();
		maintenance.stop();
		assertThat(prepared).hasValue(1);
	}

	@Test
	void maintenanceNotifiesItsTasksThatTheDatabaseWasNotAvailable() throws Exception {
		try (Engine own = Engine.withOwnDatabase()) {
			NotifiedTask task = new NotifiedTask(true);
			own.allowConnections(false);
			TaskLoop loop = new TaskLoop("rowqueue-maintenance", new MaintenanceStore(own.queueDatabase()),
					new Outage(), Duration.ZERO, List.of(task), (busy) -> {
					}, () -> 0); // no time passes: it does not come too late
			loop.start();
			await().until(() -> task.notified.get() >= 2); // once at the start
			own.allowConnections(true);
			loop.stop();
		}
	}

	/**
	 * It may have sent no statement during a short outage, in which heartbeats failed.
	 */
	@Test
	void maintenanceNotifiesItsTasksOfWhatOtherThreadsOfTheProcessHaveMet() throws InterruptedException {
		Outage outage = new Outage();
		NotifiedTask task = new NotifiedTask(true);
		TaskLoop loop = new TaskLoop("rowqueue-maintenance", this.store, outage, Duration.ZERO, List.of(task),
				(busy) -> {
				}, () -> 0); // no time passes: it does not come too late
		loop.start();
		await().until(() -> task.turns.get() >= 3);
		assertThat(task.notified).as("when it began").hasValue(1);
		outage.report("rowqueue-heartbeat", new SQLException("no connection", "08006"));
		outage.over("rowqueue-heartbeat");
		await().until(() -> task.notified.get() == 2);
		loop.stop();
	}

	/** Otherwise the time since the outage would pass while it goes on. */
	@Test
	void maintenanceQueriesTheDatabaseAlsoForTasksThatAreNotReady() throws Exception {
		try (Engine own = Engine.withOwnDatabase()) {
			NotifiedTask task = new NotifiedTask(false);
			TaskLoop loop = new TaskLoop("rowqueue-maintenance", new MaintenanceStore(own.queueDatabase()),
					new Outage(), Duration.ZERO, List.of(task), (busy) -> {
					}, () -> 0); // no time passes: it does not come too late
			loop.start();
			await("it has begun")
				.until(() -> own.count("maintenance_task where name = 'rowqueue-maintenance: recover'") == 1);
			assertThat(task.notified).hasValue(1);
			own.allowConnections(false);
			// which is not the answer to one try
			await().until(() -> task.notified.get() >= 3);
			own.allowConnections(true);
			loop.stop();
		}
	}

	@Test
	void maintenanceOffersATaskAgainWhenTheDatabaseDidNotAnswer() throws Exception {
		try (Engine own = Engine.withOwnDatabase(); Log log = new Log(Outage.class)) {
			CountDownLatch run = new CountDownLatch(1);
			own.allowConnections(false);
			Maintenance maintenance = maintenance(new MaintenanceStore(own.queueDatabase()),
					List.of(new TestTask("retain", Duration.ofHours(1), new CountDownLatch(0), run::countDown)));
			maintenance.start();
			await().until(() -> !log.lines(Level.WARN).isEmpty());
			own.allowConnections(true);
			run.await();
			maintenance.stop();
			assertThat(log.lines(Level.WARN)).hasSize(1);
		}
	}

	/** Its notification may have been lost, and the others look rarely. */
	@Test
	void whoSeesThatAWorkerIsBusyAgainTellsTheOtherThreads() throws InterruptedException {
		this.engine.jdbc()
			.update("insert into rowqueue.worker (name, queues, types, idle_interval) values ('one', '{}', '{}', '1 day')");
		CountDownLatch offers = new CountDownLatch(3);
		CountDownLatch busy = new CountDownLatch(1);
		TaskLoop loop = new TaskLoop("rowqueue-maintenance", this.store, new Outage(), Task.LOOK_EVERY.multipliedBy(2),
				List.of(new TestTask("retain", Duration.ofHours(1), offers, () -> {
				})), (isBusy) -> {
					if (isBusy) {
						busy.countDown();
					}
				}, System::nanoTime);
		loop.start();
		offers.await();
		assertThat(busy.getCount()).as("while all are idle").isOne();
		this.engine.jdbc().update("update rowqueue.worker set idle_interval = '0'");
		busy.await();
		loop.stop();
		loop.join(Duration.ofMinutes(1));
	}

	@Test
	void maintenanceNotifiesItsTasksThatTheProcessWasStoppedForAWhile() throws InterruptedException {
		AtomicLong clock = new AtomicLong();
		NotifiedTask task = new NotifiedTask(true);
		TaskLoop loop = new TaskLoop("rowqueue-maintenance", this.store, new Outage(), Duration.ZERO, List.of(task),
				(busy) -> {
				}, clock::get);
		loop.start();
		await().until(() -> task.turns.get() >= 3);
		assertThat(task.notified).as("when it began").hasValue(1);
		await().until(() -> {
			clock.addAndGet(Duration.ofSeconds(2).toNanos());
			return task.notified.get() > 1;
		});
		loop.stop();
	}

	/** It may have an older JDK, which does not know the time zone of a schedule. */
	@Test
	void aProcessThatCannotDoWhatIsDueLeavesItsTurnToAnother() throws InterruptedException {
		CountDownLatch tried = new CountDownLatch(3);
		CountDownLatch done = new CountDownLatch(3);
		TaskLoop unable = new TaskLoop("rowqueue-maintenance", this.store, new Outage(), Duration.ZERO,
				List.of(new PeriodicTask("schedule", Duration.ofMillis(1)) {

					@Override
					public boolean yieldsTurn() {
						return true;
					}

					@Override
					public void run() {
						tried.countDown();
					}

				}));
		unable.start();
		tried.await();
		TaskLoop able = new TaskLoop("rowqueue-maintenance", this.store, new Outage(), Duration.ZERO,
				List.of(new TestTask("schedule", Duration.ofMillis(1), new CountDownLatch(0), done::countDown)));
		able.start();
		done.await();
		unable.stop();
		able.stop();
		unable.join(Duration.ofMinutes(1));
		able.join(Duration.ofMinutes(1));
	}

	@Test
	void aTaskThatWasTakenAndHasNotBegunIsLeftToOthersAtTheStop() throws InterruptedException {
		CountDownLatch begun = new CountDownLatch(1);
		CountDownLatch goOn = new CountDownLatch(1);
		CountDownLatch other = new CountDownLatch(1);
		Task stopping = new TestTask("promote", Duration.ofHours(1), new CountDownLatch(0), () -> {
			begun.countDown();
			try {
				goOn.await();
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		});
		Task left = new TestTask("retain", Duration.ofHours(1), new CountDownLatch(0), other::countDown);
		TaskLoop one = new TaskLoop("rowqueue-maintenance", this.store, new Outage(), Duration.ZERO,
				List.of(stopping, left));
		one.start();
		begun.await();
		one.stop();
		goOn.countDown();
		one.join(Duration.ofMinutes(1));
		assertThat(other.getCount()).as("it runs no more").isEqualTo(1);
		Maintenance two = maintenance(this.store, List.of(left));
		two.start();
		other.await();
		two.stop();
	}

	@Test
	void aTaskThatHasMoreToDoRunsAgainSoon() throws InterruptedException {
		CountDownLatch runs = new CountDownLatch(3);
		Maintenance maintenance = maintenance(this.store, List.of(new BatchTask("retain", Duration.ofHours(1)) {

			@Override
			protected void runBatches() {
				runs.countDown();
				left(runs.getCount() > 0);
			}

		}));
		maintenance.start();
		assertThat(runs.await(1, TimeUnit.MINUTES)).isTrue();
		maintenance.stop();
	}

	/** It may have looked before that was committed. */
	@Test
	void aWakeUpDuringALookIsFollowedByAnother() throws InterruptedException {
		CountDownLatch begun = new CountDownLatch(1);
		CountDownLatch goOn = new CountDownLatch(1);
		CountDownLatch looks = new CountDownLatch(3); // it is asked before the run as
														// well
		TaskLoop loop = new TaskLoop("rowqueue-maintenance", this.store, new Outage(), Duration.ZERO,
				List.of(new TestTask("retain", Duration.ofHours(1), looks, () -> {
					begun.countDown();
					awaitLatch(goOn);
				}, Duration.ofHours(1))));
		loop.start();
		begun.await();
		loop.lookAgain();
		goOn.countDown();
		assertThat(looks.await(1, TimeUnit.MINUTES)).isTrue();
		loop.stop();
		loop.join(Duration.ofMinutes(1));
	}

	/** Each job that is enqueued with a delay wakes it. */
	@Test
	void manyWakeUpsAreFewLooks() throws InterruptedException {
		AtomicLong clock = new AtomicLong();
		AtomicInteger looks = new AtomicInteger();
		CountDownLatch begun = new CountDownLatch(1);
		TaskLoop loop = new TaskLoop("rowqueue-maintenance", this.store, new Outage(), Duration.ZERO,
				List.of(new PeriodicTask("retain", Duration.ofHours(1)) {

					@Override
					public boolean isReady() {
						looks.incrementAndGet();
						return true;
					}

					@Override
					public Duration lookEvery() {
						return Duration.ofHours(1);
					}

					@Override
					public void run() {
						begun.countDown();
					}

				}), (busy) -> {
				}, clock::get);
		loop.start();
		begun.await();
		int before = looks.get();
		for (int i = 0; i < 1000; i++) {
			loop.lookAgain();
			Thread.yield();
		}
		clock.addAndGet(Duration.ofSeconds(1).toNanos());
		await().until(() -> looks.get() > before);
		assertThat(looks).hasValueLessThanOrEqualTo(before + 2);
		loop.stop();
		loop.join(Duration.ofMinutes(1));
	}

	/** Its thread sleeps for an hour of another clock, or has ended. */
	@Test
	void aLoopThatAnotherThreadAttendsToLooksWhenItIsDue() throws InterruptedException {
		AtomicLong clock = new AtomicLong();
		CountDownLatch run = new CountDownLatch(1);
		CountDownLatch looks = new CountDownLatch(3); // it is asked before the run as
														// well
		TaskLoop loop = new TaskLoop("rowqueue-maintenance", this.store, new Outage(), Duration.ZERO,
				List.of(new TestTask("retain", Duration.ofHours(1), looks, run::countDown, Duration.ofHours(1))),
				(busy) -> {
				}, clock::get);
		loop.start();
		run.await();
		clock.addAndGet(Duration.ofHours(1).toNanos());
		await().until(() -> {
			loop.lookIfDue();
			return looks.getCount() == 0;
		});
		loop.stop();
		loop.join(Duration.ofMinutes(1));
	}

	@Test
	void maintenanceDoesNotLetTheOthersWaitForALongTask() throws InterruptedException {
		CountDownLatch begun = new CountDownLatch(1);
		CountDownLatch goOn = new CountDownLatch(1);
		CountDownLatch runs = new CountDownLatch(3);
		Task vacuum = new Task() {

			@Override
			public String name() {
				return "horizon";
			}

			@Override
			public Duration interval() {
				return Duration.ofHours(1);
			}

			@Override
			public boolean isLong() {
				return true;
			}

			@Override
			public void run() {
				begun.countDown();
				awaitLatch(goOn);
			}

		};
		Task promote = new TestTask("promote", Duration.ofMillis(1), new CountDownLatch(0), () -> {
			awaitLatch(begun);
			runs.countDown();
		});
		Maintenance maintenance = maintenance(this.store, List.of(vacuum, promote));
		maintenance.start();
		assertThat(runs.await(1, TimeUnit.MINUTES)).isTrue();
		goOn.countDown();
		maintenance.stop();
	}

	@Test
	void retentionIsALongTask() {
		assertThat(new RetainTask(this.engine.queueDatabase(), Retention.DEFAULT, () -> {
		}).isLong()).isTrue();
	}

	private Maintenance maintenance(MaintenanceStore tasks, List<Task> offered) {
		return new Maintenance(tasks, new Outage(), offered, this.engine.wakeUps(), Duration.ZERO);
	}

	private static void awaitLatch(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private record TestTask(String name, Duration interval, CountDownLatch offers, Runnable action,
			Duration lookEvery) implements Task {

		TestTask(String name, Duration interval, CountDownLatch offers, Runnable action) {
			this(name, interval, offers, action, LOOK_EVERY);
		}

		@Override
		public boolean isReady() {
			this.offers.countDown();
			return true;
		}

		@Override
		public void run() {
			this.action.run();
		}

	}

	/** Counts its turns, and how often it hears that the database was away. */
	private static final class NotifiedTask extends PeriodicTask {

		private final boolean ready;

		private final AtomicInteger turns = new AtomicInteger();

		private final AtomicInteger notified = new AtomicInteger();

		NotifiedTask(boolean ready) {
			super("recover", Duration.ofHours(1));
			this.ready = ready;
		}

		@Override
		public boolean isReady() {
			this.turns.incrementAndGet();
			return this.ready;
		}

		@Override
		public void databaseWasAway() {
			this.notified.incrementAndGet();
		}

		@Override
		public void run() {
		}

	}

}
