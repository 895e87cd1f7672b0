package io.rowqueue.autoconfigure;

import java.time.Duration;
import java.util.stream.Stream;

import io.rowqueue.JobQueue;
import io.rowqueue.JobRequest;
import io.rowqueue.engine.flow.BatchStore;
import io.rowqueue.flow.Batch;
import io.rowqueue.schedule.Rhythm;
import io.rowqueue.schedule.Schedule;
import io.rowqueue.schedule.Schedules;
import io.rowqueue.window.Window;
import io.rowqueue.window.Windows;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The connections of the application do not commit by themselves, as is recommended for
 * Hibernate: what is not in a transaction must be committed nevertheless.
 */
class WithoutAutoCommitTests {

	@RegisterExtension
	private final TestDatabase database = new TestDatabase();

	private final ApplicationContextRunner application = Applications.on(this.database)
		.withPropertyValues("spring.datasource.hikari.auto-commit=false", "rowqueue.worker.enabled=false");

	@Test
	void aChangeOfAScheduleIsCommittedWithoutATransaction() {
		this.application.run((context) -> {
			Schedules schedules = context.getBean(Schedules.class);

			schedules.put(hourly());
			assertThat(this.database.count("select count(*) from rowqueue.schedule where name = 'hourly'")).isOne();

			long job = schedules.trigger("hourly").orElseThrow();
			assertThat(this.database.count("select count(*) from rowqueue.job where id = " + job)).isOne();

			assertThat(schedules.pause("hourly", "audit")).isTrue();
			assertThat(this.database.count("select count(*) from rowqueue.schedule where paused_at is not null"))
				.isOne();

			assertThat(schedules.resume("hourly")).isTrue();
			assertThat(this.database.count("select count(*) from rowqueue.schedule where paused_at is null")).isOne();

			assertThat(schedules.remove("hourly")).isTrue();
			assertThat(this.database.count("select count(*) from rowqueue.schedule")).isZero();
		});
	}

	@Test
	void aChangeOfAWindowIsCommittedWithoutATransaction() {
		this.application.run((context) -> {
			Windows windows = context.getBean(Windows.class);

			windows.put(Window.of("night", "UTC", "MON-SUN 22:00-06:00").queues("reports"));
			assertThat(this.database.count("select count(*) from rowqueue.time_window where name = 'night'")).isOne();

			assertThat(windows.remove("night")).isTrue();
			assertThat(this.database.count("select count(*) from rowqueue.time_window")).isZero();
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

			assertThat(this.database.count("select count(*) from rowqueue.schedule")).isZero();
			assertThat(this.database.count("select count(*) from rowqueue.time_window")).isZero();
		});
	}

	/** As the endpoint and the dashboard do. */
	@Test
	void aBatchThatIsClosedByAnOperationIsClosed() {
		this.application.run((context) -> {
			long batch = context.getBean(JobQueue.class)
				.enqueueBatch(Batch.named("import").keepOpen(), Stream.of(JobRequest.of("row")));

			assertThat(context.getBean(BatchStore.class).close(batch)).isTrue();

			assertThat(this.database.count("select count(*) from rowqueue.batch where closed_at is not null")).isOne();
		});
	}

	private static Schedule hourly() {
		return Schedule.of("hourly", Rhythm.every(Duration.ofHours(1)), JobRequest.of("report"));
	}

}
