package io.rowqueue.autoconfigure;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.rowqueue.JobContext;
import io.rowqueue.schedule.JobCalendar;
import io.rowqueue.schedule.RecurringJob;
import io.rowqueue.schedule.ScheduleStatus;
import io.rowqueue.schedule.ScheduleStatus.Source;
import io.rowqueue.schedule.Schedules;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.springframework.boot.context.annotation.UserConfigurations;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

import static org.assertj.core.api.Assertions.assertThat;

/** A recurring job in an application, from its annotation to its handler. */
@Execution(ExecutionMode.CONCURRENT)
class RecurringJobsTests {

	@RegisterExtension
	private final TestDatabase database = new TestDatabase();

	@Test
	void recurringJobsRunWhenDueAndAreDisabledWhenNoLongerDeclared() {
		Applications.on(this.database).withBean(Reports.class).run((context) -> {
			Reports reports = context.getBean(Reports.class);
			Awaitility.await().until(() -> this.database.count("select count(*) from rowqueue.schedule") == 1);
			ScheduleStatus status = context.getBean(Schedules.class).find("report").orElseThrow();
			assertThat(status.source()).isEqualTo(Source.ANNOTATION);
			this.database.execute("update rowqueue.schedule set next_run_at = next_run_at - interval '24 hours'");
			JobContext run = reports.runs.poll(60, TimeUnit.SECONDS);
			assertThat(run.dueAt()).isEqualTo(status.nextRunAt().minusSeconds(24 * 3600));
			assertThat(run.schedule()).isEqualTo("report");
		});
		Applications.on(this.database).withBean(Others.class).run((context) -> {
			this.database.execute("update rowqueue.schedule set declared_at = declared_at - interval '2 minutes'");
			Awaitility.await()
				.until(() -> this.database
					.count("select count(*) from rowqueue.schedule where undeclared_at is not null") == 1);
			this.database.execute("update rowqueue.schedule set undeclared_at = undeclared_at - interval '1 minute'");
			assertThat(context.getBean(Schedules.class).find("report").orElseThrow().state())
				.isEqualTo(ScheduleStatus.State.DISABLED);
		});
	}

	/**
	 * {@code @Scheduled} runs in each process, and a recurring job once in the cluster.
	 */
	@Test
	void aRecurringJobRunsBesideAScheduledMethodOnOneMethodAsWell() {
		Applications.on(this.database)
			.withConfiguration(UserConfigurations.of(Scheduling.class))
			.withBean(Both.class)
			.run((context) -> {
				Both both = context.getBean(Both.class);
				Awaitility.await().until(() -> both.ticks.get() > 1);
				Awaitility.await().until(() -> this.database.count("select count(*) from rowqueue.schedule") == 2);
				assertThat(both.runs).as("the recurring job is not due").isEmpty();
				this.database.execute("update rowqueue.schedule set next_run_at = next_run_at - interval '24 hours'"
						+ " where name = 'clean-up'");
				assertThat(both.runs.poll(60, TimeUnit.SECONDS).schedule()).isEqualTo("clean-up");
				context.getBean(Schedules.class).trigger("refresh");
				Awaitility.await()
					.until(() -> this.database
						.count("select count(*) from rowqueue.job_finished where state = 'succeeded'") == 2);
				int ticks = both.ticks.get();
				Awaitility.await().until(() -> both.ticks.get() > ticks);
				assertThat(this.database.count("select count(*) from rowqueue.job_finished"))
					.as("@Scheduled enqueues nothing")
					.isEqualTo(2);
			});
	}

	@Test
	void calendarsOfBeansAndPropertiesAreStoredBeforeTheirSchedules() {
		Applications.on(this.database)
			.withBean(Reports.class)
			.withBean(JobCalendar.class, () -> JobCalendar.of("never", (day) -> false))
			.withPropertyValues("rowqueue.calendars.weekdays.excluded-days=saturday,sunday",
					"rowqueue.calendars.weekdays.excluded-dates=2026-12-25",
					"rowqueue.recurring.report.cron=0 18 * * SAT", "rowqueue.recurring.report.calendar=weekdays",
					"rowqueue.recurring.report.excluded=next-day")
			.run((context) -> {
				Awaitility.await().until(() -> this.database.count("select count(*) from rowqueue.schedule") == 1);
				Instant next = context.getBean(Schedules.class).find("report").orElseThrow().nextRunAt();
				assertThat(next.atZone(ZoneOffset.UTC).getDayOfWeek()).isEqualTo(DayOfWeek.MONDAY);
				assertThat(this.database
					.count("select count(*) from rowqueue.schedule_calendar where date '2026-12-25' = any (excluded)"))
					.isEqualTo(2);
			});
	}

	@Configuration(proxyBeanMethods = false)
	@EnableScheduling
	static class Scheduling {

	}

	static class Both {

		private final AtomicInteger ticks = new AtomicInteger();

		private final BlockingQueue<JobContext> runs = new LinkedBlockingQueue<>();

		@Scheduled(fixedRate = 50, timeUnit = TimeUnit.MILLISECONDS)
		@RecurringJob(name = "refresh", cron = "0 4 * * *", zone = "UTC")
		void refresh() {
			this.ticks.incrementAndGet();
		}

		@RecurringJob(name = "clean-up", cron = "0 0 3 * * *", zone = "UTC")
		void cleanUp(JobContext job) {
			this.runs.add(job);
		}

	}

	static class Reports {

		private final BlockingQueue<JobContext> runs = new LinkedBlockingQueue<>();

		@RecurringJob(name = "report", cron = "0 30 2 * * *", zone = "UTC")
		void report(JobContext job) {
			this.runs.add(job);
		}

	}

	static class Others {

		@RecurringJob(name = "other", every = "365d")
		void other() {
		}

	}

}
