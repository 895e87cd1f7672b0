package io.pgqueue.autoconfigure;

import java.util.Arrays;

import io.pgqueue.Job;
import io.pgqueue.JobQueue;
import io.pgqueue.JobState;
import io.pgqueue.autoconfigure.Notes.Note;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/** An application that has the starter and runs no jobs, by choice or for lack of any. */
@ExtendWith(OutputCaptureExtension.class)
class ProcessesThatRunNothingTests {

	private static final TestDatabase DATABASE = new TestDatabase();

	private final ApplicationContextRunner application = Applications.on(DATABASE);

	@Test
	void switchedOffItLeavesNothingInTheContextAndNeedsNoDatabase() {
		Applications.withStarter()
			.withBean(Notes.class)
			.withPropertyValues("queue.enabled=false", "spring.datasource.url=jdbc:postgresql://localhost:1/none")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(Arrays.stream(context.getBeanDefinitionNames()).map(context::getType))
					.filteredOn((type) -> type.getName().startsWith("io.pgqueue."))
					.containsExactlyInAnyOrder(Notes.class, QueueFlywayAutoConfiguration.class,
							UnusedFlywayRemover.class);
			});
	}

	@Test
	void switchedOffItNeedsNoDataSource() {
		new ApplicationContextRunner().withUserConfiguration(Applications.queue())
			.withPropertyValues("queue.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void aProcessWithoutAWorkerEnqueuesAndSaysSo(CapturedOutput output) {
		this.application.withBean(Notes.class).withPropertyValues("queue.worker.enabled=false").run((context) -> {
			assertThat(context).doesNotHaveBean(QueueLifecycle.class);
			enqueues(context.getBean(JobQueue.class));
		});
		assertThat(output).containsOnlyOnce("queue.worker.enabled is false: this process enqueues jobs and runs none");
	}

	@Test
	void aProcessWithoutHandlersSaysThatItRunsNothing(CapturedOutput output) {
		this.application.run((context) -> {
			assertThat(context.getBean(QueueLifecycle.class).isRunning()).isFalse();
			enqueues(context.getBean(JobQueue.class));
		});
		assertThat(output).containsOnlyOnce("There is no @JobHandler: this process enqueues jobs and runs none");
	}

	@Test
	void aProcessWithoutSlotsSaysThatItRunsNothing(CapturedOutput output) {
		this.application.withBean(Notes.class).withPropertyValues("queue.worker.concurrency=0").run((context) -> {
			assertThat(context.getBean(QueueLifecycle.class).isRunning()).isFalse();
			enqueues(context.getBean(JobQueue.class));
		});
		assertThat(output).containsOnlyOnce("queue.worker.concurrency is 0 and no queue has a concurrency of its own");
	}

	private static void enqueues(JobQueue queue) {
		long id = queue.enqueue("note", new Note("waits")).id();
		assertThat(queue.find(id).map(Job::state)).contains(JobState.QUEUED);
		assertThat(DATABASE.count("select count(*) from queue.worker")).isZero();
	}

}
