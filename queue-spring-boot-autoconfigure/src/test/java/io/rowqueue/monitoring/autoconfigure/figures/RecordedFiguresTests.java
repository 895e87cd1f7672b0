package io.rowqueue.monitoring.autoconfigure.figures;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.rowqueue.JobHandler;
import io.rowqueue.JobQueue;
import io.rowqueue.autoconfigure.Applications;
import io.rowqueue.autoconfigure.TestDatabase;
import io.rowqueue.engine.figures.JobTallies;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;

/** What an application leaves behind of the jobs that it ran. */
class RecordedFiguresTests {

	@RegisterExtension
	private final TestDatabase database = new TestDatabase();

	private final ApplicationContextRunner application = Applications.on(this.database).withBean(Parcels.class);

	@Test
	void whatAProcessCountedIsThereWhenItHasStopped() {
		this.application.withPropertyValues("spring.application.version=1.42").run((context) -> {
			JobQueue queue = context.getBean(JobQueue.class);
			Parcels parcels = context.getBean(Parcels.class);
			for (int parcel = 0; parcel < 20; parcel++) {
				queue.enqueue("parcel", parcel);
			}
			queue.enqueue("broken-parcel", null);
			assertThat(parcels.sent.await(60, TimeUnit.SECONDS)).isTrue();
			Awaitility.await()
				.until(() -> this.database.count("select count(*) from rowqueue.job where state <> 'failed'") == 0);
			Awaitility.await().until(() -> this.database.count("select count(*) from rowqueue.process") == 1);
		});
		assertThat(sum("all", "")).isEqualTo("21 20 0 1");
		assertThat(sum("type", "parcel")).isEqualTo("20 20 0 0");
		assertThat(sum("queue", "default")).isEqualTo("21 20 0 1");
		assertThat(this.database.query("""
				select version || ' ' || how || ' ' || succeeded || ' ' || failed from rowqueue.process""",
				String.class))
			.isEqualTo("1.42 stopped 20 1");
	}

	@Test
	void switchedOffNothingIsRecorded() {
		this.application.withPropertyValues("rowqueue.figures.enabled=false").run((context) -> {
			assertThat(context).doesNotHaveBean(JobTallies.class).doesNotHaveBean(FiguresLifecycle.class);
			context.getBean(JobQueue.class).enqueue("parcel", 1);
			Awaitility.await().until(() -> this.database.count("select count(*) from rowqueue.job") == 0);
		});
		assertThat(this.database.count("select count(*) from rowqueue.tally")).isZero();
		assertThat(this.database.count("select count(*) from rowqueue.process")).isZero();
	}

	@Test
	void theVersionIsCutAndMayBeUnknown() {
		assertThat(ApplicationVersion.of(new MockEnvironment(), null, null)).isEmpty();
		assertThat(ApplicationVersion
			.of(new MockEnvironment().withProperty("spring.application.version", "x".repeat(200)), null, null))
			.hasSize(50);
	}

	private String sum(String kind, String name) {
		return this.database.query("""
				select sum(enqueued) || ' ' || sum(succeeded) || ' ' || sum(retried) || ' ' || sum(failed)
				from rowqueue.tally where seconds = 60 and kind = '%s' and name = '%s'""".formatted(kind, name),
				String.class);
	}

	/** Handlers of two types, one of which fails. */
	static class Parcels {

		private final CountDownLatch sent = new CountDownLatch(20);

		@JobHandler("parcel")
		void send() {
			this.sent.countDown();
		}

		@JobHandler(value = "broken-parcel", maxAttempts = 1)
		void fail() {
			throw new IllegalStateException("broken");
		}

	}

}
