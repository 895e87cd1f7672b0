package io.rowqueue.autoconfigure.handler;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

import io.rowqueue.JobContext;
import io.rowqueue.JobHandler;
import io.rowqueue.JobRequest;
import io.rowqueue.engine.schedule.DeclaredSchedules.Declaration;
import io.rowqueue.schedule.ExcludedPolicy;
import io.rowqueue.schedule.JobCalendar;
import io.rowqueue.schedule.MissedPolicy;
import io.rowqueue.schedule.OverlapPolicy;
import io.rowqueue.schedule.RecurringJob;
import io.rowqueue.schedule.Schedule;
import io.rowqueue.schedule.ScheduleStatus.Source;
import io.rowqueue.schedule.Validity;
import io.rowqueue.schedule.autoconfigure.QueueRecurringJobsAutoConfiguration;
import io.rowqueue.schedule.autoconfigure.RecurringJobs;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/** Recurring jobs as applications declare them. */
class RecurringJobTests {

	private final ApplicationContextRunner application = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(JacksonAutoConfiguration.class, QueueHandlerAutoConfiguration.class,
				QueueRecurringJobsAutoConfiguration.class));

	@Test
	void recurringJobsAreDeclaredByAnnotations() {
		this.application.withBean(Reports.class).withPropertyValues("zone=Europe/Berlin").run((context) -> {
			HandlerRegistryFactory handlers = context.getBean(HandlerRegistryFactory.class);
			assertThat(handlers.get().types()).containsExactlyInAnyOrder("nightly", "report", "ping", "nowhere");
			Map<String, Declaration> declared = declared(context);
			assertThat(declared).containsOnlyKeys("nightly", "report-eu", "report-us", "ping");
			Schedule nightly = declared.get("nightly").schedule();
			assertThat(nightly.rhythm()).hasToString("cron 0 30 2 * * * Europe/Berlin");
			assertThat(nightly.job()).isEqualTo(JobRequest.of("nightly")
				.queue("reports")
				.priority(3)
				.tolerance(Duration.ofHours(1))
				.maxAttempts(2)
				.limitKey("crm")
				.tags("books", "crm")
				.expiresIn(Duration.ofHours(2))
				.onFailure(JobRequest.of("alarm").queue("reports")));
			assertThat(declared.get("nightly").onFailure()).contains("\"type\":\"alarm\"");
			assertThat(declared.get("ping").onFailure()).isNull();
			assertThat(nightly.missed()).isEqualTo(MissedPolicy.ALL);
			assertThat(nightly.overlap()).isEqualTo(OverlapPolicy.QUEUE);
			assertThat(nightly.jitter()).isEqualTo(Duration.ofMinutes(5));
			assertThat(declared.get("report-eu").payload()).isEqualTo("{\"region\":\"eu\"}");
			assertThat(declared.get("report-eu").schedule().job().type()).isEqualTo("report");
			assertThat(declared.get("ping").schedule().rhythm()).hasToString("every PT30S");
			assertThat(declared.get("ping").source()).isEqualTo(Source.ANNOTATION);
		});
	}

	@Test
	void anAnnotationOfTheApplicationDeclaresAHandlerAsWell() {
		this.application.withBean(OfOtherAnnotation.class).run((context) -> {
			HandlerRegistryFactory handlers = context.getBean(HandlerRegistryFactory.class);
			assertThat(handlers.get().types()).containsExactly("hourly");
			assertThat(declared(context).get("hourly").schedule().job())
				.isEqualTo(JobRequest.of("hourly").queue("slow").priority(0));
		});
	}

	/** They are those of the jobs of the schedule. */
	@Test
	void theAttributesOfARecurringJobAreNoDefaultsOfItsType() {
		this.application.withBean(OfOtherAnnotation.class)
			.run((context) -> assertThat(context.getBean(HandlerRegistryFactory.class).find("hourly")).isNull());
	}

	@Test
	void aValidityIsReadInTheZoneOfTheSchedule() {
		this.application.withBean(Seasonal.class)
			.withPropertyValues("rowqueue.calendars.bank-days.excluded-days=sunday",
					"rowqueue.recurring.summer.until=2026-09-01T12:00:00Z")
			.run((context) -> {
				Schedule summer = declared(context).get("summer").schedule();
				assertThat(summer.validity()).isEqualTo(new Validity(Instant.parse("2026-05-31T22:00:00Z"),
						Instant.parse("2026-09-01T12:00:00Z"), "bank-days", ExcludedPolicy.NEXT_DAY));
			});
	}

	@Test
	void anUnknownCalendarOrOneThatIsDeclaredTwicePreventsTheStart() {
		this.application.withBean(Seasonal.class)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("there is no calendar 'bank-days'")
				.hasMessageContaining("rowqueue.calendars.bank-days"));
		this.application.withBean(JobCalendar.class, () -> JobCalendar.of("bank-days", (day) -> true))
			.withPropertyValues("rowqueue.calendars.bank-days.excluded-days=sunday")
			.run((context) -> assertThat(context).getFailure()
				.hasMessageContaining("rowqueue.calendars.bank-days has the name of the JobCalendar bean"));
		this.application.withBean(Seasonal.class)
			.withPropertyValues("rowqueue.calendars.bank-days.excluded-days=sunday",
					"rowqueue.recurring.summer.until=soon")
			.run((context) -> assertThat(context).getFailure()
				.hasMessageContaining(
						"rowqueue.recurring.summer is not a valid recurring job: until must be a time such as"));
	}

	static class Seasonal {

		@RecurringJob(name = "summer", cron = "0 8 * * *", zone = "Europe/Berlin", from = "2026-06-01",
				calendar = "bank-days", excluded = ExcludedPolicy.NEXT_DAY)
		void summer() {
		}

	}

	@Test
	void propertiesTakePrecedenceOverAnnotations() {
		this.application.withBean(Reports.class)
			.withPropertyValues("zone=UTC", "rowqueue.recurring.nightly.every=1h",
					"rowqueue.recurring.nightly.missed=once", "rowqueue.recurring.nightly.tolerance=7",
					"rowqueue.recurring.nightly.max-attempts=5", "rowqueue.recurring.nightly.limit-key=erp",
					"rowqueue.recurring.nightly.tags=sums", "rowqueue.recurring.nightly.headers.tenant=blue",
					"rowqueue.recurring.nightly.expires-in=30m", "rowqueue.recurring.nightly.on-failure=ping",
					"rowqueue.recurring.report-eu.enabled=false", "rowqueue.recurring.report-us.cron=-",
					"rowqueue.recurring.cleanup.type=clean", "rowqueue.recurring.cleanup.cron=0 0 4 * * *",
					"rowqueue.recurring.cleanup.payload=[7]")
			.run((context) -> {
				Map<String, Declaration> declared = declared(context);
				assertThat(declared).containsOnlyKeys("nightly", "ping", "cleanup");
				assertThat(declared.get("nightly").schedule().rhythm()).hasToString("every PT1H");
				assertThat(declared.get("nightly").schedule().missed()).isEqualTo(MissedPolicy.ONCE);
				assertThat(declared.get("nightly").schedule().job()).isEqualTo(JobRequest.of("nightly")
					.queue("reports")
					.priority(3)
					.tolerance(Duration.ofSeconds(7))
					.maxAttempts(5)
					.limitKey("erp")
					.tags("sums")
					.header("tenant", "blue")
					.expiresIn(Duration.ofMinutes(30))
					.onFailure(JobRequest.of("ping").queue("reports")));
				assertThat(declared.get("cleanup").schedule().rhythm()).hasToString("cron 0 0 4 * * * UTC");
				assertThat(declared.get("cleanup").payload()).isEqualTo("[7]");
				assertThat(declared.get("cleanup").source()).isEqualTo(Source.PROPERTIES);
			});
	}

	@Test
	void theMessageOfAnInvalidAnnotationNamesItsMethodAndTheRemedy() {
		refuses(WrongCron.class, "WrongCron.report()", "invalid @RecurringJob", "cron must be five fields",
				"'2 * * *'");
		refuses(WrongZone.class, "WrongZone.report()", "zone must be", "'Mars'");
		refuses(NoRhythm.class, "NoRhythm.report()", "requires either cron or every");
		refuses(WrongPayload.class, "WrongPayload.report()", "invalid @RecurringJob");
		refuses(UnreadableOnFailure.class, "UnreadableOnFailure.report()", "invalid @RecurringJob", "'alarm'");
		refuses(WrongAttempts.class, "WrongAttempts.report()", "invalid @RecurringJob", "maxAttempts must be from 1");
		refuses(NoName.class, "NoName.report()", "Set the name of its @RecurringJob");
		refuses(Several.class, "Several.report()", "Several recurring jobs require @JobHandler");
		refuses(SeveralOfOtherAnnotations.class, "report()", "Several recurring jobs require @JobHandler");
		refuses(SameNames.class, "SameNames", "with the name 'same'", "Give each a unique name");
	}

	@Test
	void theMessageOfAnInvalidPropertyNamesIt() {
		refused(this.application.withPropertyValues("rowqueue.recurring.report.type=report",
				"rowqueue.recurring.report.cron=2 * * *"), "rowqueue.recurring.report", "cron must be five fields");
		refused(this.application.withPropertyValues("rowqueue.recurring.report.cron=0 0 2 * * *"),
				"rowqueue.recurring.report.type is not set", "there is no @RecurringJob");
	}

	private void refuses(Class<?> bean, String... words) {
		refused(this.application.withBean(bean), words);
	}

	private static void refused(ApplicationContextRunner application, String... words) {
		application.run((context) -> assertThat(context).getFailure()
			.satisfies((failure) -> assertThat(failure.toString()).contains(words)));
	}

	private static Map<String, Declaration> declared(ApplicationContext context) {
		Map<String, Declaration> declared = new TreeMap<>();
		context.getBean(RecurringJobs.class)
			.declared()
			.schedules()
			.forEach((each) -> declared.put(each.schedule().name(), each));
		return declared;
	}

	static class Reports {

		@RecurringJob(name = "nightly", cron = "0 30 2 * * *", zone = "${zone}", queue = "reports", priority = 3,
				tolerance = "1h", maxAttempts = 2, limitKey = "${limit:crm}", tags = { "books", "${limit:crm}" },
				expiresIn = "2h", onFailure = "${alarm:alarm}", jitter = "5m", missed = MissedPolicy.ALL,
				overlap = OverlapPolicy.QUEUE)
		void nightly(JobContext job) {
		}

		@JobHandler("report")
		@RecurringJob(name = "report-eu", cron = "0 0 3 * * *", payload = "{\"region\":\"eu\"}")
		@RecurringJob(name = "report-us", cron = "0 0 9 * * *", payload = "{\"region\":\"us\"}")
		void report(Map<String, String> region) {
		}

		@JobHandler("ping")
		@RecurringJob(every = "30")
		void ping() {
		}

		@RecurringJob(name = "nowhere", cron = RecurringJob.NEVER)
		void nowhere() {
		}

	}

	static class WrongCron {

		@RecurringJob(name = "report", cron = "2 * * *")
		void report() {
		}

	}

	static class WrongZone {

		@RecurringJob(name = "report", cron = "0 0 2 * * *", zone = "Mars")
		void report() {
		}

	}

	static class NoRhythm {

		@RecurringJob(name = "report")
		void report() {
		}

	}

	static class WrongPayload {

		@RecurringJob(name = "report", every = "1h", payload = "{")
		void report() {
		}

	}

	static class UnreadableOnFailure {

		@RecurringJob(name = "report", every = "1h", onFailure = "alarm")
		void report() {
		}

		@JobHandler("alarm")
		void alarm(int level) {
		}

	}

	static class WrongAttempts {

		@RecurringJob(name = "report", every = "1h", maxAttempts = 0)
		void report() {
		}

	}

	static class NoName {

		@RecurringJob(every = "1h")
		void report() {
		}

	}

	static class Several {

		@RecurringJob(name = "a", every = "1h")
		@RecurringJob(name = "b", every = "2h")
		void report() {
		}

	}

	@Retention(RetentionPolicy.RUNTIME)
	@RecurringJob(name = "hourly", every = "1h", queue = "slow")
	@interface Hourly {

	}

	static class OfOtherAnnotation {

		@Hourly
		void report() {
		}

	}

	static class SeveralOfOtherAnnotations {

		@Hourly
		@RecurringJob(name = "daily", every = "24h")
		void report() {
		}

	}

	static class SameNames {

		@RecurringJob(name = "same", every = "1h")
		void report() {
		}

		@JobHandler("other")
		@RecurringJob(name = "same", every = "1h")
		void other() {
		}

	}

}
