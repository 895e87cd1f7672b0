package io.rowqueue.autoconfigure.worker;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.rowqueue.Job;
import io.rowqueue.JobContext;
import io.rowqueue.JobHandler;
import io.rowqueue.JobQueue;
import io.rowqueue.JobState;
import io.rowqueue.autoconfigure.Applications;
import io.rowqueue.autoconfigure.Notes;
import io.rowqueue.autoconfigure.Notes.Note;
import io.rowqueue.autoconfigure.TestDatabase;
import io.rowqueue.monitoring.autoconfigure.measurement.MeasurementLoop;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

import static org.assertj.core.api.Assertions.assertThat;

/** When the worker starts and stops, and what it leaves. */
@ExtendWith(OutputCaptureExtension.class)
class QueueLifecycleTests {

	@RegisterExtension
	private final TestDatabase database = new TestDatabase();

	private final ApplicationContextRunner application = Applications.on(this.database);

	@Test
	void aContextThatWasStoppedStartsAgain() {
		this.application.withBean(Notes.class).run((context) -> {
			ConfigurableApplicationContext source = context.getSourceApplicationContext();
			run(context.getBean(JobQueue.class), context.getBean(Notes.class), 1);
			for (int restart = 1; restart <= 2; restart++) {
				source.stop();
				assertThat(context.getBean(QueueLifecycle.class).isRunning()).isFalse();
				assertThat(this.database.count("select count(*) from rowqueue.worker")).isZero();
				context.getBean(JobQueue.class).enqueue("note", new Note("while it is stopped"));
				source.start();
				run(context.getBean(JobQueue.class), context.getBean(Notes.class), 1 + 2 * restart);
				assertThat(this.database.count("select count(*) from rowqueue.worker")).isOne();
			}
		});
	}

	@Test
	void aSecondStartAndASecondStopChangeNothing() {
		this.application.withBean(Notes.class).run((context) -> {
			run(context.getBean(JobQueue.class), context.getBean(Notes.class), 1);
			context.getBean(QueueLifecycle.class).start();
			assertThat(this.database.count("select count(*) from rowqueue.worker")).isOne();
			context.getBean(QueueLifecycle.class).stop();
			context.getBean(QueueLifecycle.class).stop();
			assertThat(this.database.count("select count(*) from rowqueue.worker")).isZero();
		});
	}

	@Test
	void jobsFindTheWebServerFromTheFirstToTheLast() {
		WebServer webServer = new WebServer();
		Lasting lasting = new Lasting(webServer);
		this.application.withBean(WebServer.class, () -> webServer)
			.withBean(Lasting.class, () -> lasting)
			.run((context) -> {
				context.getBean(JobQueue.class).enqueue("lasting", null);
				assertThat(lasting.events.take()).isEqualTo("started, web server runs: true");
			});
		assertThat(lasting.events).containsExactly("asked to stop, web server runs: true");
		assertThat(this.database.count("select count(*) from rowqueue.job")).isZero();
	}

	@Test
	void aSchedulerAcceptsTheTasksOfAJobUntilItHasEnded() {
		this.application.withBean(ThreadPoolTaskScheduler.class)
			.withBean(Delegating.class)
			.withPropertyValues("rowqueue.worker.max-attempts=1")
			.run((context) -> {
				context.getBean(JobQueue.class).enqueue("delegating", null);
				context.getBean(Delegating.class).started.await();
			});
		assertThat(this.database.count("select count(*) from rowqueue.job_failure")).isZero();
		assertThat(this.database.count("select count(*) from rowqueue.job_finished where state = 'succeeded'")).isOne();
	}

	@Test
	void aJobThatDoesNotEndInTimeGoesBackToTheQueue() {
		Interrupted handler = new Interrupted();
		this.application.withBean(Interrupted.class, () -> handler)
			.withPropertyValues("rowqueue.worker.shutdown-timeout=0", "rowqueue.worker.concurrency=1")
			.run((context) -> {
				context.getBean(JobQueue.class).enqueue("interrupted", null);
				context.getBean(JobQueue.class).enqueue("interrupted", null);
				assertThat(handler.events.take()).isEqualTo("started");
			});
		assertThat(handler.events).containsExactly("interrupted");
		assertThat(
				this.database.count("select count(*) from rowqueue.job where state = 'queued' and worker_id is null"))
			.isEqualTo(2);
		assertThat(this.database.count("select count(*) from rowqueue.worker")).isZero();
	}

	@Test
	void lazyInitializationOmitsNothing() {
		this.application
			.withInitializer(
					(context) -> context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
			.withBean(Notes.class)
			.withBean(SimpleMeterRegistry.class, SimpleMeterRegistry::new)
			.run((context) -> {
				assertThat(context.getBeanFactory().containsSingleton("rowqueueJobQueue")).isFalse();
				Awaitility.await().until(() -> this.database.count("select count(*) from rowqueue.worker") == 1);
				assertThat(context.getBean(SimpleMeterRegistry.class).find("rowqueue.jobs").gauges()).isNotEmpty();
				assertThat(context.getBean(MeasurementLoop.class).isRunning()).isTrue();
				run(context.getBean(JobQueue.class), context.getBean(Notes.class), 1);
			});
	}

	@Test
	void theProcessStaysWhileTheWorkerRunsAndNoThreadStaysBehind() {
		this.application.withBean(Notes.class).run((context) -> {
			run(context.getBean(JobQueue.class), context.getBean(Notes.class), 1);
			assertThat(Thread.getAllStackTraces().keySet())
				.filteredOn((thread) -> thread.getName().equals("rowqueue-worker"))
				.isNotEmpty()
				.noneMatch(Thread::isDaemon);
		});
		Awaitility.await()
			.until(() -> Thread.getAllStackTraces()
				.keySet()
				.stream()
				.noneMatch((thread) -> thread.getName().startsWith("rowqueue-")));
	}

	@Test
	void anUneventfulLifeIsToldInFewLines(CapturedOutput output) {
		this.application.withBean(Notes.class)
			.run((context) -> run(context.getBean(JobQueue.class), context.getBean(Notes.class), 1));
		// the first class of a JVM starts the server and creates the template of the
		// databases
		assertThat(output.getOut()
			.lines()
			.filter((line) -> line.contains(" io.rowqueue.") && !line.contains("DevPostgres")
					&& !line.contains("Created the tables")))
			.hasSize(2)
			.anyMatch((line) -> line.contains("runs [note] with 10 slots of all queues"))
			.anyMatch((line) -> line.contains("has stopped; it holds no jobs"));
	}

	private static void run(JobQueue queue, Notes notes, int jobs) {
		long id = queue.enqueue("note", new Note("job")).id();
		notes.await(jobs);
		Awaitility.await().until(() -> queue.find(id).map(Job::state).orElseThrow() == JobState.SUCCEEDED);
	}

	/** Gives a task to a scheduler when the application stops. */
	private static final class Delegating {

		private final CountDownLatch started = new CountDownLatch(1);

		private final ThreadPoolTaskScheduler scheduler;

		Delegating(ThreadPoolTaskScheduler scheduler) {
			this.scheduler = scheduler;
		}

		@JobHandler("delegating")
		void run(JobContext job) throws Exception {
			this.started.countDown();
			Awaitility.await().until(job::stopRequested);
			this.scheduler.submit(() -> {
			}).get();
		}

	}

	/** Stops where Boot's web servers stop, and starts where they start. */
	private static final class WebServer implements SmartLifecycle {

		private volatile boolean running;

		@Override
		public void start() {
			this.running = true;
		}

		@Override
		public void stop() {
			this.running = false;
		}

		@Override
		public boolean isRunning() {
			return this.running;
		}

		@Override
		public int getPhase() {
			return DEFAULT_PHASE - 1024;
		}

	}

	private static final class Lasting {

		private final BlockingQueue<String> events = new LinkedBlockingQueue<>();

		private final WebServer webServer;

		Lasting(WebServer webServer) {
			this.webServer = webServer;
		}

		@JobHandler("lasting")
		void run(JobContext job) {
			this.events.add("started, web server runs: " + this.webServer.isRunning());
			Awaitility.await().until(job::stopRequested);
			this.events.add("asked to stop, web server runs: " + this.webServer.isRunning());
		}

	}

	private static final class Interrupted {

		private final BlockingQueue<String> events = new LinkedBlockingQueue<>();

		@JobHandler("interrupted")
		void run() throws InterruptedException {
			this.events.add("started");
			try {
				new CountDownLatch(1).await();
			}
			catch (InterruptedException ex) {
				this.events.add("interrupted");
				throw ex;
			}
		}

	}

}
