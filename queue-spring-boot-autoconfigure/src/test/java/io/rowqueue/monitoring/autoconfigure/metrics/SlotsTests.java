package io.rowqueue.monitoring.autoconfigure.metrics;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;

import io.rowqueue.Job;
import io.rowqueue.JobContext;
import io.rowqueue.JobHandler;
import io.rowqueue.JobQueue;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.autoconfigure.Applications;
import io.rowqueue.autoconfigure.Notes;
import io.rowqueue.autoconfigure.Notes.Note;
import io.rowqueue.autoconfigure.Notes.Seen;
import io.rowqueue.autoconfigure.TestDatabase;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/** How many jobs run at once, of which queues, and in what threads. */
class SlotsTests {

	@RegisterExtension
	private final TestDatabase database = new TestDatabase();

	private final ApplicationContextRunner application = Applications.on(this.database);

	@Test
	void aQueueCanHaveSlotsOfItsOwn() {
		this.application.withBean(Waiting.class)
			.withPropertyValues("rowqueue.worker.concurrency=1", "rowqueue.worker.queues.mail.concurrency=2",
					"rowqueue.worker.queues[reports.big].concurrency=1",
					"rowqueue.worker.queues[Für Ann].concurrency=1", "rowqueue.worker.prefetch=0")
			.run((context) -> {
				Waiting handler = context.getBean(Waiting.class);
				for (String queue : List.of("mail", "reports.big", "Für Ann", "default")) {
					for (int i = 0; i < 4; i++) {
						context.getBean(JobQueue.class).enqueue(JobRequest.of("wait").queue(queue));
					}
				}
				Awaitility.await().until(() -> handler.started.size() == 5);
				Awaitility.await()
					.until(() -> this.database
						.count("select count(*) from rowqueue.job where worker_id is not null") == 5);
				assertThat(handler.started).containsExactlyInAnyOrder("mail", "mail", "reports.big", "Für Ann",
						"default");
				assertThat(this.database.query("select queues::text from rowqueue.worker", String.class))
					.contains("reports.big", "Für Ann", "*");
				handler.release.countDown();
				Awaitility.await().until(() -> handler.started.size() == 16);
			});
	}

	@Test
	void otherQueuesAreNotClaimedWithoutSlotsForThem() {
		this.application.withBean(Notes.class)
			.withPropertyValues("rowqueue.worker.concurrency=0", "rowqueue.worker.queues.mail.concurrency=1")
			.run((context) -> {
				JobQueue queue = context.getBean(JobQueue.class);
				long left = queue.enqueue("note", new Note("left")).id();
				queue.enqueue(JobRequest.of("note", new Note("mail")).queue("mail"));
				assertThat(context.getBean(Notes.class).await(1).get(0).queue()).isEqualTo("mail");
				assertThat(queue.find(left).map(Job::state)).contains(JobState.QUEUED);
			});
	}

	@Test
	void handlersRunInNamedDaemonThreads() {
		this.application.withBean(Notes.class).run((context) -> {
			Seen seen = run(context.getBean(JobQueue.class), context.getBean(Notes.class));
			assertThat(seen.thread().getName()).startsWith("rowqueue-job-");
			assertThat(seen.thread().isDaemon()).isTrue();
		});
	}

	@Test
	@EnabledForJreRange(min = JRE.JAVA_21)
	void handlersRunInVirtualThreadsIfTheApplicationWantsThem() {
		this.application.withBean(Notes.class)
			.withPropertyValues("spring.threads.virtual.enabled=true")
			.run((context) -> {
				Seen seen = run(context.getBean(JobQueue.class), context.getBean(Notes.class));
				assertThat(seen.thread().getClass().getName()).isEqualTo("java.lang.VirtualThread");
				assertThat(seen.thread().getName()).startsWith("rowqueue-job-");
			});
	}

	@Test
	@EnabledForJreRange(max = JRE.JAVA_20)
	void virtualThreadsThatTheJvmLacksAreNoObstacle() {
		this.application.withBean(Notes.class)
			.withPropertyValues("spring.threads.virtual.enabled=true")
			.run((context) -> assertThat(
					run(context.getBean(JobQueue.class), context.getBean(Notes.class)).thread().getName())
				.startsWith("rowqueue-job-"));
	}

	private static Seen run(JobQueue queue, Notes notes) {
		queue.enqueue("note", new Note("thread"));
		return notes.await(1).get(0);
	}

	static class Waiting {

		final Queue<String> started = new ConcurrentLinkedQueue<>();

		final CountDownLatch release = new CountDownLatch(1);

		@JobHandler("wait")
		void take(JobContext job) throws InterruptedException {
			this.started.add(job.queue());
			this.release.await();
		}

	}

}
