package io.rowqueue.autoconfigure;

import io.rowqueue.JobQueue;
import io.rowqueue.JobQueueException;
import io.rowqueue.admin.QueueOverview;
import io.rowqueue.autoconfigure.FailedStartTests.OnH2;
import io.rowqueue.autoconfigure.Notes.Note;
import io.rowqueue.autoconfigure.worker.QueueLifecycle;
import io.rowqueue.monitoring.autoconfigure.measurement.MeasurementLoop;
import io.rowqueue.migration.QueueSchemaException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** An application that has added the starter and whose database is not PostgreSQL. */
@ExtendWith(OutputCaptureExtension.class)
class OnAnotherDatabaseTests {

	private final ApplicationContextRunner application = Applications.withStarter()
		.withUserConfiguration(OnH2.class)
		.withBean(Notes.class);

	@Test
	void theApplicationStartsAndOneLineStatesWhatIsOff(CapturedOutput output) {
		this.application.run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(context.getBean(QueueLifecycle.class).isRunning()).isFalse();
			assertThat(context.getBean(MeasurementLoop.class).isRunning()).isFalse();
		});
		assertThat(output.toString().lines().filter((line) -> line.contains("H2"))).singleElement()
			.asString()
			.contains("The job queue is off: it needs PostgreSQL, and the application's DataSource connects to H2.")
			.contains("set spring.datasource.url to a PostgreSQL")
			.contains("@QueueDataSource")
			.contains("@RecordJobs");
	}

	@Test
	void eachUseFailsWithTheReason() {
		this.application.run((context) -> {
			assertThatExceptionOfType(JobQueueException.class)
				.isThrownBy(() -> context.getBean(JobQueue.class).enqueue("note", new Note("lost?")))
				.withMessageContaining("connects to H2");
			assertThatExceptionOfType(JobQueueException.class)
				.isThrownBy(() -> context.getBean(TransactionTemplate.class)
					.execute((status) -> context.getBean(JobQueue.class).enqueue("note", new Note("lost?"))))
				.withMessageContaining("connects to H2");
			assertThatExceptionOfType(JobQueueException.class)
				.isThrownBy(() -> context.getBean(QueueOverview.class).jobs())
				.withMessageContaining("connects to H2");
		});
	}

	@Test
	void healthReportsThatTheQueueIsOffAndLeavesTheApplicationUp() {
		this.application.run((context) -> {
			HealthIndicator health = context.getBean("rowqueueHealthIndicator", HealthIndicator.class);
			assertThat(health.health().getStatus()).isEqualTo(Status.UNKNOWN);
			assertThat(health.health().getDetails().get("reason")).asString().contains("The job queue is off");
		});
	}

	@Test
	void enabledExplicitlyTheQueueFailsTheStart() {
		this.application.withPropertyValues("rowqueue.enabled=true")
			.run((context) -> assertThat(context).getFailure().rootCause().isInstanceOf(QueueSchemaException.class));
	}

	@Test
	void aMarkedDataSourceOfAnotherDatabaseFailsTheStart() {
		Applications.withStarter()
			.withUserConfiguration(FailedStartTests.MarkedOnH2.class)
			.run((context) -> assertThat(context).getFailure().rootCause().isInstanceOf(QueueSchemaException.class));
	}

}
