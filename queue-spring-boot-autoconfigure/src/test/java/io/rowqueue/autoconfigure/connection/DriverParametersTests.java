package io.rowqueue.autoconfigure.connection;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;

import io.rowqueue.DuplicatePolicy;
import io.rowqueue.JobContext;
import io.rowqueue.JobHandler;
import io.rowqueue.JobQueue;
import io.rowqueue.JobRequest;
import io.rowqueue.admin.FlowAdmin;
import io.rowqueue.admin.JobAdmin;
import io.rowqueue.admin.JobSearch;
import io.rowqueue.admin.QueueOverview;
import io.rowqueue.admin.filter.JobFilter;
import io.rowqueue.autoconfigure.Applications;
import io.rowqueue.autoconfigure.TestDatabase;
import io.rowqueue.flow.Batch;
import io.rowqueue.flow.Flow;
import io.rowqueue.limit.JobLimits;
import io.rowqueue.limit.Limit;
import io.rowqueue.limit.LimitKind;
import io.rowqueue.schedule.BackfillRange;
import io.rowqueue.schedule.Rhythm;
import io.rowqueue.schedule.Schedule;
import io.rowqueue.schedule.Schedules;
import io.rowqueue.window.Window;
import io.rowqueue.window.Windows;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/** Parameters of the driver in the URL of the application, which the queue shares. */
@ExtendWith(OutputCaptureExtension.class)
class DriverParametersTests {

	@RegisterExtension
	private final TestDatabase database = new TestDatabase();

	@ParameterizedTest
	@ValueSource(
			strings = { "preferQueryMode=simple", "stringtype=unspecified", "autosave=always&defaultRowFetchSize=1" })
	void theQueueWorks(String parameter, CapturedOutput output) {
		String url = this.database.url();
		Applications.on(this.database)
			.withBean(Handlers.class)
			.withPropertyValues("spring.datasource.url=" + url + (url.contains("?") ? "&" : "?") + parameter,
					"rowqueue.limits.queues.narrow.concurrency=2", "rowqueue.recurring.often.type=plain",
					"rowqueue.recurring.often.every=1h", "rowqueue.windows.night.times=MON-SUN 00:00-24:00",
					"rowqueue.windows.night.queues=nightly")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				use(context);
			});
		assertThat(output).doesNotContain("failed and retries");
	}

	private void use(ApplicationContext context) {
		JobQueue queue = context.getBean(JobQueue.class);
		JobAdmin admin = context.getBean(JobAdmin.class);
		TransactionTemplate transaction = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
		long plain = queue.enqueue("plain", "payload").id();
		transaction.executeWithoutResult((status) -> queue.enqueue("plain", "payload"));
		queue.enqueueAll(Stream.generate(() -> JobRequest.of("plain", "many")).limit(20).toList());
		queue.enqueue(JobRequest.of("plain", "late").delay(Duration.ofMillis(700)));
		queue.enqueue(JobRequest.of("plain", "keyed").uniqueKey("key").delay(Duration.ofHours(1)));
		queue.enqueue(JobRequest.of("plain", "keyed")
			.uniqueKey("key")
			.duplicates(DuplicatePolicy.replace())
			.delay(Duration.ofMillis(600)));
		queue.enqueue(JobRequest.of("plain", "limited").limitKey("customer:42"));
		queue.enqueue(JobRequest.of("plain", "fair").fairnessKey("tenant"));
		queue.enqueue(JobRequest.of("plain", "narrow")
			.queue("narrow")
			.tags("a tag")
			.header("name", "value")
			.expiresIn(Duration.ofHours(1)));
		queue.enqueue(JobRequest.of("plain", "nightly").queue("nightly"));
		queue.enqueue(Flow.named("flow")
			.job("one", JobRequest.of("plain", "1"))
			.job("two", JobRequest.of("plain", "2"))
			.after("one"));
		queue.enqueueBatch(Batch.named("batch").onFinish(JobRequest.of("plain", "end")),
				Stream.of(JobRequest.of("plain", "row")));
		queue.enqueue(JobRequest.of("steps", "x"));
		queue.enqueue(JobRequest.of("transactional", "x"));
		long failing = queue.enqueue(JobRequest.of("failing", "x").onFailure(JobRequest.of("plain", "failed"))).id();
		long waiting = queue.enqueue(JobRequest.of("waiting", "x").uniqueKey("waiting")).id();
		Awaitility.await().until(() -> !admin.waits(waiting).isEmpty());
		queue.signal(waiting, "go", "on");
		Awaitility.await()
			.untilAsserted(
					() -> assertThat(this.database.count("select count(*) from rowqueue.job where state <> 'failed'"))
						.isZero());
		assertThat(this.database.count("select count(*) from rowqueue.job where state = 'failed'")).isOne();
		read(context, plain, failing);
		change(context, failing);
		Awaitility.await()
			.untilAsserted(() -> assertThat(this.database.count(
					"select count(*) from rowqueue.job where queue = 'default' and state not in ('failed', 'scheduled')"))
				.isZero());
	}

	private void read(ApplicationContext context, long plain, long failing) {
		JobAdmin admin = context.getBean(JobAdmin.class);
		admin.explain(plain);
		admin.explain(failing);
		admin.failures(failing);
		admin.log(plain);
		admin.steps(plain);
		admin.unhandled();
		admin.isKnownQueue("default");
		admin.isKnownType("plain");
		JobSearch search = context.getBean(JobSearch.class);
		assertThat(search.find(JobFilter.of(Map.of("state", List.of("failed"))), null, 10).jobs()).hasSize(1);
		search.find(JobFilter.of(Map.of("q", List.of("payload"))), null, 10);
		assertThat(search.find(JobFilter.of(Map.of("tag", List.of("a tag"))), null, 10).jobs()).hasSize(1);
		search.count(JobFilter.of(Map.of("type", List.of("plain"))));
		assertThat(search.details(plain)).isPresent();
		QueueOverview overview = context.getBean(QueueOverview.class);
		overview.jobs();
		assertThat(overview.workers()).hasSize(1);
		overview.lanes();
		overview.running(10);
		overview.failures(10);
		overview.installedSchemaVersion();
		context.getBean(JobLimits.class).list();
		context.getBean(FlowAdmin.class).unfinished(10);
		context.getBean(FlowAdmin.class).unfinishedBatches(10);
	}

	private void change(ApplicationContext context, long failing) {
		JobAdmin admin = context.getBean(JobAdmin.class);
		JobQueue queue = context.getBean(JobQueue.class);
		Schedules schedules = context.getBean(Schedules.class);
		schedules.put(Schedule.of("hourly", Rhythm.cron("0 0 * * * *", "UTC"), JobRequest.of("plain", "scheduled")));
		assertThat(schedules.trigger("hourly")).isPresent();
		schedules.pause("hourly", "reason");
		schedules.resume("hourly");
		schedules.backfill("hourly", new BackfillRange(Instant.now().minus(Duration.ofHours(5)),
				Instant.now().minus(Duration.ofMinutes(1)), false));
		schedules.runs("hourly", 10);
		assertThat(schedules.list()).hasSize(2);
		schedules.remove("hourly");
		Windows windows = context.getBean(Windows.class);
		windows.put(Window.of("day", "UTC", "MON-SUN 00:00-24:00").queues("daily"));
		assertThat(windows.list()).hasSize(2);
		windows.remove("day");
		JobLimits limits = context.getBean(JobLimits.class);
		limits.set(LimitKind.TYPE, "plain", Limit.of("100/1s"));
		limits.hold(LimitKind.KEY, "customer:43", Duration.ofHours(1), "reason");
		assertThat(limits.holds()).hasSize(1);
		limits.release(LimitKind.KEY, "customer:43");
		limits.setWeight("tenant", 2);
		limits.weights();
		limits.list();
		limits.remove(LimitKind.TYPE, "plain");
		admin.pauseQueue("default", "reason");
		admin.pauses();
		admin.resumeQueue("default");
		admin.retry(failing);
		admin.retryAll("default", null);
		long late = queue.enqueue(JobRequest.of("plain", "later").delay(Duration.ofHours(1)).uniqueKey("late")).id();
		admin.explain(late);
		admin.prioritize(late, 5);
		admin.reschedule(late, Duration.ofHours(2));
		admin.job("late").cancel();
		long erased = queue.enqueue(JobRequest.of("plain", "later").delay(Duration.ofHours(1))).id();
		admin.erase(erased);
		admin.releaseKey("late");
	}

	static class Handlers {

		private final CountDownLatch started = new CountDownLatch(1);

		@JobHandler("plain")
		void plain(String text, JobContext context) {
			context.log().info("log {}", text);
			context.progress(1, 2, "half");
		}

		@JobHandler("steps")
		String steps(String text, JobContext context) throws Exception {
			return context.step("one", () -> "result", String.class);
		}

		@JobHandler(value = "transactional", transactional = true, keepResult = true)
		String transactional(String text, JobContext context) {
			return "result";
		}

		@JobHandler(value = "failing", maxAttempts = 2, retry = "fixed(100ms)")
		void failing(String text) {
			throw new IllegalStateException("refused");
		}

		@JobHandler("waiting")
		void waiting(String text, JobContext context) {
			context.awaitSignal("go", String.class, Duration.ofMinutes(1));
		}

	}

}
