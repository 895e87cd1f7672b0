package io.rowqueue.autoconfigure;

import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.rowqueue.Job;
import io.rowqueue.JobQueue;
import io.rowqueue.JobQueueException;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.admin.FlowAdmin;
import io.rowqueue.admin.JobAdmin;
import io.rowqueue.admin.JobEditor;
import io.rowqueue.admin.JobSearch;
import io.rowqueue.admin.QueueOverview;
import io.rowqueue.admin.autoconfigure.QueueAdminDisabledAutoConfiguration;
import io.rowqueue.admin.operation.Operations;
import io.rowqueue.autoconfigure.Notes.Note;
import io.rowqueue.autoconfigure.disabled.DisabledJobQueue;
import io.rowqueue.autoconfigure.disabled.QueueDisabledAutoConfiguration;
import io.rowqueue.autoconfigure.schema.QueueFlywayAutoConfiguration;
import io.rowqueue.autoconfigure.schema.UnusedFlywayRemover;
import io.rowqueue.autoconfigure.worker.QueueLifecycle;
import io.rowqueue.engine.admin.DefaultFlowAdmin;
import io.rowqueue.engine.admin.DefaultJobAdmin;
import io.rowqueue.engine.admin.DefaultJobEditor;
import io.rowqueue.engine.admin.DefaultQueueOverview;
import io.rowqueue.engine.control.DefaultJobLimits;
import io.rowqueue.engine.operation.DefaultOperations;
import io.rowqueue.engine.schedule.ClusterSchedules;
import io.rowqueue.engine.search.JobSearchStore;
import io.rowqueue.engine.window.ClusterWindows;
import io.rowqueue.limit.JobLimits;
import io.rowqueue.schedule.Schedules;
import io.rowqueue.schedule.autoconfigure.QueueSchedulesDisabledAutoConfiguration;
import io.rowqueue.window.Windows;
import io.rowqueue.window.autoconfigure.QueueWindowsDisabledAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.Mockito;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** An application that has the starter and runs no jobs, by choice or for lack of any. */
@ExtendWith(OutputCaptureExtension.class)
class ProcessesThatRunNothingTests {

	private static final TestDatabase DATABASE = TestDatabase.withoutTables();

	private final ApplicationContextRunner application = Applications.on(DATABASE);

	@Test
	void switchedOffItNeedsNoDatabaseAndLeavesWhatApplicationsInject() {
		Applications.withStarter()
			.withBean(Notes.class)
			.withPropertyValues("rowqueue.enabled=false", "spring.datasource.url=jdbc:postgresql://localhost:1/none")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(Arrays.stream(context.getBeanDefinitionNames()).map(context::getType))
					.filteredOn((type) -> type.getName().startsWith("io.rowqueue.") && !type.isMemberClass())
					.containsExactlyInAnyOrder(Notes.class, QueueFlywayAutoConfiguration.class,
							UnusedFlywayRemover.class, QueueDisabledAutoConfiguration.class,
							QueueAdminDisabledAutoConfiguration.class, QueueSchedulesDisabledAutoConfiguration.class,
							QueueWindowsDisabledAutoConfiguration.class, DisabledJobQueue.class, ClusterSchedules.class,
							ClusterWindows.class, DefaultJobLimits.class, DefaultJobAdmin.class, JobSearchStore.class,
							DefaultOperations.class, DefaultJobEditor.class, DefaultFlowAdmin.class,
							DefaultQueueOverview.class);
			});
	}

	static Stream<Consumer<ApplicationContext>> uses() {
		return Stream.of((context) -> context.getBean(JobQueue.class).enqueue("note", new Note("lost?")),
				(context) -> context.getBean(JobQueue.class)
					.enqueueAll(Stream.of(JobRequest.of("note", 1), JobRequest.of("note", 2))),
				(context) -> context.getBean(JobQueue.class).find(1),
				(context) -> new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
					.executeWithoutResult((status) -> context.getBean(JobQueue.class).enqueue("note", null)),
				(context) -> context.getBean(JobAdmin.class).cancel(1),
				(context) -> context.getBean(Schedules.class).find("nightly"),
				(context) -> context.getBean(QueueOverview.class).jobs());
	}

	@ParameterizedTest
	@MethodSource("uses")
	void switchedOffItRefusesEachUseAndSaysWhy(Consumer<ApplicationContext> use) {
		this.application.withPropertyValues("rowqueue.enabled=false")
			.run((context) -> assertThatExceptionOfType(JobQueueException.class).isThrownBy(() -> use.accept(context))
				.withMessageContaining("disabled by rowqueue.enabled=false")
				.withMessageContaining("@RecordJobs"));
	}

	@ParameterizedTest
	@ValueSource(classes = { JobQueue.class, Schedules.class, Windows.class, JobLimits.class, JobAdmin.class,
			JobSearch.class, JobEditor.class, Operations.class, FlowAdmin.class, QueueOverview.class })
	<T> void aBeanOfTheApplicationReplacesThatOfTheQueueEvenWhereItIsSwitchedOff(Class<T> type) {
		T own = Mockito.mock(type);
		for (String property : List.of("rowqueue.worker.enabled=false", "rowqueue.enabled=false")) {
			this.application.withPropertyValues(property)
				.withBean("own", type, () -> own)
				.run((context) -> assertThat(context).as(property).hasSingleBean(type).getBean(type).isSameAs(own));
		}
	}

	@Test
	void switchedOffItNeedsNoDataSource() {
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(Applications.queue()))
			.withPropertyValues("rowqueue.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void aProcessWithoutAWorkerEnqueuesAndSaysSo(CapturedOutput output) {
		this.application.withBean(Notes.class).withPropertyValues("rowqueue.worker.enabled=false").run((context) -> {
			assertThat(context).doesNotHaveBean(QueueLifecycle.class);
			enqueues(context.getBean(JobQueue.class));
		});
		assertThat(output)
			.containsOnlyOnce("rowqueue.worker.enabled is false: this process enqueues jobs and runs none");
	}

	@Test
	void aProcessWithoutHandlersSaysThatItRunsNothing(CapturedOutput output) {
		this.application.run((context) -> {
			assertThat(context.getBean(QueueLifecycle.class).isRunning()).isFalse();
			enqueues(context.getBean(JobQueue.class));
		});
		assertThat(output)
			.containsOnlyOnce("The application has no job handlers: this process enqueues jobs and runs none");
	}

	@Test
	void aProcessWithoutSlotsSaysThatItRunsNothing(CapturedOutput output) {
		this.application.withBean(Notes.class).withPropertyValues("rowqueue.worker.concurrency=0").run((context) -> {
			assertThat(context.getBean(QueueLifecycle.class).isRunning()).isFalse();
			enqueues(context.getBean(JobQueue.class));
		});
		assertThat(output)
			.containsOnlyOnce("rowqueue.worker.concurrency is 0 and no queue has a concurrency of its own");
	}

	private static void enqueues(JobQueue queue) {
		long id = queue.enqueue("note", new Note("waits")).id();
		assertThat(queue.find(id).map(Job::state)).contains(JobState.QUEUED);
		assertThat(DATABASE.count("select count(*) from rowqueue.worker")).isZero();
	}

}
