package io.pgqueue.autoconfigure;

import java.time.Duration;
import java.util.stream.Stream;

import io.pgqueue.JobQueue;
import io.pgqueue.JobRequest;
import io.pgqueue.engine.flow.BatchStore;
import io.pgqueue.flow.Batch;
import io.pgqueue.schedule.Rhythm;
import io.pgqueue.schedule.Schedule;
import io.pgqueue.schedule.Schedules;
import io.pgqueue.window.Window;
import io.pgqueue.window.Windows;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The connections of the application do not commit by themselves, as is recommended for
 * Hibernate: what is not in a transaction must be committed nevertheless.
 */
class WithoutAutoCommitTests {

	private final TestDatabase database = new TestDatabase();

	private final ApplicationContextRunner application = Applications.on(this.database)
		.withPropertyValues("spring.datasource.hikari.auto-commit=false", "pgqueue.worker.enabled=false");

	@Test
	void aChangeOfAScheduleIsCommittedWithoutATransaction() {
		this.application.run((context) -> {
			Schedules schedules = context.getBean(Schedules.class);

			schedules.put(hourly());
			assertThat(this.database.count("select count(*) from pgqueue.schedule where name = 'hourly'")).isOne();

			long job = schedules.trigger("hourly").orElseThrow();
			assertThat(this.database.count("select count(*) from pgqueue.job where id = " + job)).isOne();

			assertThat(schedules.pause("hourly", "audit")).isTrue();
			assertThat(this.database.count("select count(*) from pgqueue.schedule where paused_at is not null"))
				.isOne();

			assertThat(schedules.resume("hourly")).isTrue();
			assertThat(this.database.count("select count(*) from pgqueue.schedule where paused_at is null")).isOne();

			assertThat(schedules.remove("hourly")).isTrue();
			assertThat(this.database.count("select count(*) from pgqueue.schedule")).isZero();
		});
	}

	@Test
	void aChangeOfAWindowIsCommittedWithoutATransaction() {
		this.application.run((context) -> {
			Windows windows = context.getBean(Windows.class);

			windows.put(Window.of("night", "UTC", "MON-SUN 22:00-06:00").queues("reports"));
			assertThat(this.database.count("select count(*) from pgqueue.time_window where name = 'night'")).isOne();

			assertThat(windows.remove("night")).isTrue();
			assertThat(this.database.count("select count(*) from pgqueue.time_window")).isZero();
		});
	}

	@Test
	void aChangeInATransactionIsRolledBackWithIt() {
		this.application.run((context) -> {
			new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
				.executeWithoutResult((status) -> {
					context.getBean(Schedules.class).put(hourly());
					context.getBean(Windows.class)
						.put(Window.of("night", "UTC", "MON-SUN 22:00-06:00").queues("reports"));
					assertThat(context.getBean(Schedules.class).find("hourly")).isPresent();
					status.setRollbackOnly();
				});

			assertThat(this.database.count("select count(*) from pgqueue.schedule")).isZero();
			assertThat(this.database.count("select count(*) from pgqueue.time_window")).isZero();
		});
	}

	/** As the endpoint and the dashboard do. */
	@Test
	void aBatchThatIsClosedByAnOperationIsClosed() {
		this.application.run((context) -> {
			long batch = context.getBean(JobQueue.class)
				.enqueueBatch(Batch.named("import").keepOpen(), Stream.of(JobRequest.of("row")));

			assertThat(context.getBean(BatchStore.class).close(batch)).isTrue();

			assertThat(this.database.count("select count(*) from pgqueue.batch where closed_at is not null")).isOne();
		});
	}

	private static Schedule hourly() {
		return Schedule.of("hourly", Rhythm.every(Duration.ofHours(1)), JobRequest.of("report"));
	}

}
