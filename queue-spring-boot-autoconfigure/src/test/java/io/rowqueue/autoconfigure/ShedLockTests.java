package io.rowqueue.autoconfigure;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import javax.sql.DataSource;

import io.rowqueue.schedule.RecurringJob;
import io.rowqueue.schedule.Schedules;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider;
import net.javacrumbs.shedlock.spring.annotation.EnableSchedulerLock;
import net.javacrumbs.shedlock.spring.annotation.SchedulerLock;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.boot.context.annotation.UserConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Recurring jobs in an application that uses ShedLock, as the guide to move from it
 * promises: method by method.
 */
class ShedLockTests {

	private static final Duration PATIENCE = Duration.ofMinutes(3);

	@RegisterExtension
	private final TestDatabase database = new TestDatabase();

	@Test
	void methodsWithALockAndRecurringJobsRunInOneApplication() {
		application().run((context) -> {
			Moving moving = context.getBean(Moving.class);
			awaitSchedules();
			Awaitility.await().atMost(PATIENCE).until(() -> moving.ticks().get() > 1);
			assertThat(this.database.count("select count(*) from shedlock where name = 'old'")).isOne();
			this.database.execute("update rowqueue.schedule set next_run_at = next_run_at - interval '24 hours'"
					+ " where name = 'moved'");
			Awaitility.await().atMost(PATIENCE).until(() -> moving.runs().get() == 1);
			int ticks = moving.ticks().get();
			Awaitility.await().atMost(PATIENCE).until(() -> moving.ticks().get() > ticks);
			awaitSucceeded("moved");
		});
	}

	/** An interceptor of ShedLock surrounds each call of the method. */
	@Test
	void aRecurringJobOnAMethodThatIsStillLockedDoesNothingWhileAnotherProcessHasTheLock() {
		application().run((context) -> {
			Moving moving = context.getBean(Moving.class);
			awaitSchedules();
			this.database.execute("insert into shedlock (name, lock_until, locked_at, locked_by)"
					+ " values ('half-moved', now() + interval '1 hour', now(), 'another process')");
			context.getBean(Schedules.class).trigger("half-moved");
			awaitSucceeded("half-moved");
			assertThat(moving.lockedRuns()).hasValue(0);
			this.database
				.execute("update shedlock set lock_until = now() - interval '1 hour'" + " where name = 'half-moved'");
			context.getBean(Schedules.class).trigger("half-moved");
			Awaitility.await().atMost(PATIENCE).until(() -> moving.lockedRuns().get() == 1);
		});
	}

	private ApplicationContextRunner application() {
		this.database.execute("create table shedlock (name varchar(64) primary key, lock_until timestamptz not null,"
				+ " locked_at timestamptz not null, locked_by varchar(255) not null)");
		return Applications.on(this.database)
			.withConfiguration(UserConfigurations.of(Locking.class))
			.withBean(Moving.class);
	}

	private void awaitSchedules() {
		Awaitility.await()
			.atMost(PATIENCE)
			.until(() -> this.database.count("select count(*) from rowqueue.schedule") == 2);
	}

	private void awaitSucceeded(String type) {
		Awaitility.await()
			.atMost(PATIENCE)
			.until(() -> this.database
				.count("select count(*) from rowqueue.job_finished where state = 'succeeded' and type = '" + type
						+ "'") == 1);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableScheduling
	@EnableSchedulerLock(defaultLockAtMostFor = "PT1M")
	static class Locking {

		@Bean
		LockProvider lockProvider(DataSource dataSource) {
			return new JdbcTemplateLockProvider(dataSource);
		}

	}

	/** With one method of each kind, and one that was moved only by half. */
	static class Moving {

		private final AtomicInteger ticks = new AtomicInteger();

		private final AtomicInteger runs = new AtomicInteger();

		private final AtomicInteger lockedRuns = new AtomicInteger();

		@Scheduled(fixedRate = 50, timeUnit = TimeUnit.MILLISECONDS)
		@SchedulerLock(name = "old")
		public void old() {
			this.ticks.incrementAndGet();
		}

		@RecurringJob(name = "moved", cron = "0 0 3 * * *", zone = "UTC")
		public void moved() {
			this.runs.incrementAndGet();
		}

		@SchedulerLock(name = "half-moved")
		@RecurringJob(name = "half-moved", cron = "0 0 4 * * *", zone = "UTC")
		public void halfMoved() {
			this.lockedRuns.incrementAndGet();
		}

		// the bean is a proxy, which has no fields

		AtomicInteger ticks() {
			return this.ticks;
		}

		AtomicInteger runs() {
			return this.runs;
		}

		AtomicInteger lockedRuns() {
			return this.lockedRuns;
		}

	}

}
