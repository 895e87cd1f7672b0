package io.pgqueue.autoconfigure;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import io.pgqueue.JobContext;
import io.pgqueue.schedule.RecurringJob;
import io.pgqueue.schedule.ScheduleStatus;
import io.pgqueue.schedule.ScheduleStatus.Source;
import io.pgqueue.schedule.Schedules;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** A recurring job in an application, from its annotation to its handler. */
class RecurringJobsTests {

	private final TestDatabase database = new TestDatabase();

	@Test
	void recurringJobsRunWhenDueAndAreDisabledWhenNoLongerDeclared() {
		Applications.on(this.database).withBean(Reports.class).run((context) -> {
			Reports reports = context.getBean(Reports.class);
			Awaitility.await()
				.atMost(Duration.ofSeconds(60))
				.until(() -> this.database.count("select count(*) from pgqueue.schedule") == 1);
			ScheduleStatus status = context.getBean(Schedules.class).find("report").orElseThrow();
			assertThat(status.source()).isEqualTo(Source.ANNOTATION);
			this.database.execute("update pgqueue.schedule set next_run_at = next_run_at - interval '24 hours'");
			JobContext run = reports.runs.poll(60, TimeUnit.SECONDS);
			assertThat(run.dueAt()).isEqualTo(status.nextRunAt().minusSeconds(24 * 3600));
			assertThat(run.schedule()).isEqualTo("report");
		});
		Applications.on(this.database).withBean(Others.class).run((context) -> {
			this.database.execute("update pgqueue.schedule set declared_at = declared_at - interval '2 minutes'");
			Awaitility.await()
				.atMost(Duration.ofSeconds(60))
				.until(() -> this.database
					.count("select count(*) from pgqueue.schedule where undeclared_at is not null") == 1);
			this.database.execute("update pgqueue.schedule set undeclared_at = undeclared_at - interval '1 minute'");
			assertThat(context.getBean(Schedules.class).find("report").orElseThrow().state())
				.isEqualTo(ScheduleStatus.State.DISABLED);
		});
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
