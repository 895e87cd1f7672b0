package io.rowqueue.autoconfigure.worker;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

import io.rowqueue.JobQueue;
import io.rowqueue.JobRequest;
import io.rowqueue.autoconfigure.Applications;
import io.rowqueue.autoconfigure.Notes.Note;
import io.rowqueue.autoconfigure.Notes;
import io.rowqueue.autoconfigure.TestDatabase;
import io.rowqueue.autoconfigure.connection.WorkerConnections;
import io.rowqueue.engine.maintenance.MaintenanceStore.NextWork;
import io.rowqueue.engine.support.Outage;
import io.rowqueue.engine.wakeup.Arrivals;
import io.rowqueue.engine.wakeup.WakeUps;
import io.rowqueue.engine.worker.NotificationStatus;
import io.rowqueue.engine.worker.RunningWorkers;
import io.rowqueue.engine.worker.WorkerStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.postgresql.Driver;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;

/** An application whose queue sleeps when it has nothing to do. */
class DeepSleepTests {

	@RegisterExtension
	private final TestDatabase database = new TestDatabase();

	private final ApplicationContextRunner application = Applications.on(this.database)
		.withBean(Notes.class)
		.withPropertyValues("spring.datasource.driver-class-name=" + Driver.class.getName(),
				"rowqueue.worker.poll-interval=100ms", "rowqueue.worker.sleep-after=500ms");

	@Test
	void aQueueThatSleepsHasNoConnectionAndNoThreadThatUsesOneByItself() {
		this.application.run((context) -> {
			awaitSleep(context);
			await().untilAsserted(() -> assertThat(threads()).as("those that wait to be told, and that of the pool")
				.isSubsetOf("rowqueue-sleep", "rowqueue-notifier", "rowqueue:housekeeper"));
			await().untilAsserted(() -> assertThat(sessions()).isZero());
			assertThat(this.database.count("select count(*) from rowqueue.worker")).isZero();
		});
		await().untilAsserted(() -> assertThat(threads()).as("it can be stopped").isEmpty());
	}

	@Test
	void aJobThatThisProcessEnqueuesWakesIt() {
		this.application.run((context) -> {
			awaitSleep(context);
			enqueue(context, JobRequest.of("note", new Note("first")));
			context.getBean(Notes.class).await(1);
			awaitSleep(context);
			enqueue(context, JobRequest.of("note", new Note("second")));
			context.getBean(Notes.class).await(2);
		});
	}

	@Test
	void aJobThatBecomesDueWakesIt() {
		this.application.run((context) -> {
			awaitSleep(context);
			enqueue(context, JobRequest.of("note", new Note("later")).delay(Duration.ofSeconds(6)));
			await().until(() -> !context.getBean(RunningWorkers.class).areAsleep());
			awaitSleep(context);
			context.getBean(Notes.class).await(1);
		});
	}

	@Test
	void aJobOfAnotherProcessWaitsUntilItIsAwake() {
		this.application.run((context) -> {
			awaitSleep(context);
			this.database.count("select rowqueue.enqueue('note', '{\"text\": \"by SQL\"}')");
			assertThat(context.getBean(RunningWorkers.class).areAsleep()).isTrue();
			enqueue(context, JobRequest.of("note", new Note("of this process")));
			context.getBean(Notes.class).await(2);
			assertThat(context.getBean(Notes.class).texts()).containsExactlyInAnyOrder("by SQL", "of this process");
		});
	}

	/** A worker that was stopped at that moment would leave the job to nobody. */
	@Test
	void aQueueDoesNotFallAsleepAfterAnArrivalThatItsWorkerHasNotNoticed() {
		AtomicInteger looks = new AtomicInteger();
		QueueLifecycle workers = mock(QueueLifecycle.class);
		this.application.run((context) -> {
			WakeUps wakeUps = context.getBean(WakeUps.class);
			given(workers.status()).willAnswer((call) -> {
				wakeUps.jobsArrived(Arrivals.of(List.of("default")));
				looks.incrementAndGet();
				return Optional.of(new WorkerStatus(1, Duration.ZERO, NotificationStatus.RECEIVING, true, List.of()));
			});
			DeepSleep sleep = new DeepSleep(Duration.ofMillis(1), workers, List::of, () -> new NextWork(true, null),
					wakeUps, context.getBean(WorkerConnections.class), new Outage());
			sleep.start();
			await().until(() -> looks.get() > 20);
			sleep.stop();
			verify(workers, never()).fallAsleep();
		});
	}

	@Test
	void aQueueIsAwakeAfterARestartOfItsContextThatWasStoppedWhileItSlept() {
		this.application.run((context) -> {
			awaitSleep(context);
			context.getSourceApplicationContext().stop();
			context.getSourceApplicationContext().start();
			assertThat(context.getBean(RunningWorkers.class).areAsleep()).isFalse();
			enqueue(context, JobRequest.of("note", new Note("after the restart")));
			context.getBean(Notes.class).await(1);
		});
	}

	@Test
	void aQueueNeverSleepsByDefault() {
		Applications.on(this.database).withBean(Notes.class).run((context) -> {
			assertThat(context.getBean(DeepSleep.class).isRunning()).isFalse();
			assertThat(threads()).doesNotContain("rowqueue-sleep");
		});
	}

	private static void awaitSleep(ApplicationContext context) {
		await("sleep").until(context.getBean(RunningWorkers.class)::areAsleep);
	}

	private static void enqueue(ApplicationContext context, JobRequest request) {
		context.getBean(JobQueue.class).enqueue(request);
	}

	private long sessions() {
		return this.database.count("select count(*) from pg_stat_activity where datname = current_database()"
				+ " and application_name = 'rowqueue'");
	}

	private static List<String> threads() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.map(Thread::getName)
			.filter((name) -> name.startsWith("rowqueue"))
			.sorted()
			.toList();
	}

}
