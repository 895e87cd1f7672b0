package io.rowqueue.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.rowqueue.Job;
import io.rowqueue.JobContext;
import io.rowqueue.JobHandler;
import io.rowqueue.JobQueue;
import io.rowqueue.JobState;
import io.rowqueue.admin.JobAdmin;
import io.rowqueue.admin.UnhandledJobs;
import io.rowqueue.autoconfigure.Notes.Note;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/** Applications on one database, and old and new versions of one application. */
class SeveralApplicationsTests {

	@RegisterExtension
	private final TestDatabase database = new TestDatabase();

	private final ApplicationContextRunner application = Applications.on(this.database);

	@Test
	void eachRunsTheTypesThatItHasHandlersFor() {
		Notes notes = new Notes();
		Reports reports = new Reports();
		this.application.withBean(Notes.class, () -> notes).run((one) -> {
			JobQueue jobs = one.getBean(JobQueue.class);
			this.application.withBean(Reports.class, () -> reports).run((other) -> {
				List<Long> ids = IntStream.range(0, 20)
					.boxed()
					.flatMap((i) -> Stream.of(jobs.enqueue("note", new Note("a note")),
							other.getBean(JobQueue.class).enqueue("report", "a report")))
					.map((result) -> result.id())
					.toList();
				ids.forEach((id) -> awaitState(jobs, id, JobState.SUCCEEDED));
			});
		});
		assertThat(notes.texts()).hasSize(20);
		assertThat(this.database.count("select count(distinct worker_id) from rowqueue.job_finished")).isEqualTo(2);
		assertThat(this.database.count("select count(*) from rowqueue.job_failure")).isZero();
		assertThat(this.database.count("select count(*) from (select worker_id from rowqueue.job_finished"
				+ " group by worker_id having count(distinct type) > 1) mixed"))
			.isZero();
	}

	@Test
	void aTypeThatOnlyTheNewVersionKnowsWaitsForItAndIsNamed() {
		this.application.withBean(Notes.class).run((old) -> {
			JobQueue jobs = old.getBean(JobQueue.class);
			long id = jobs.enqueue("report", "a report").id();
			awaitState(jobs, jobs.enqueue("note", new Note("something that is known")).id(), JobState.SUCCEEDED);
			assertThat(jobs.find(id)).get().extracting(Job::state).isEqualTo(JobState.QUEUED);
			assertThat(old.getBean(JobAdmin.class).unhandled()).extracting(UnhandledJobs::type)
				.containsExactly("report");
			this.application.withBean(Notes.class).withBean(Reports.class).run((renewed) -> {
				awaitState(jobs, id, JobState.SUCCEEDED);
				assertThat(old.getBean(JobAdmin.class).unhandled()).isEmpty();
				old.getSourceApplicationContext().stop();
				long last = renewed.getBean(JobQueue.class).enqueue("note", new Note("after the old one")).id();
				awaitState(renewed.getBean(JobQueue.class), last, JobState.SUCCEEDED);
			});
		});
	}

	@Test
	void aPayloadThatTheOldVersionCannotReadWaitsForTheNewOne() {
		this.application.withBean(OldOrders.class)
			.withPropertyValues("rowqueue.types.order.retry=fixed(100ms)", "rowqueue.types.order.max-attempts=1000")
			.run((old) -> {
				JobQueue jobs = old.getBean(JobQueue.class);
				long id = this.database.query("select rowqueue.enqueue('order', '{\"product\": \"not a number\"}')",
						Long.class);
				Job retried = Awaitility.await()
					.until(() -> jobs.find(id).orElseThrow(), (job) -> job.lastError() != null);
				assertThat(retried.lastError()).contains("PayloadConversionException", "OldOrder", "(at $.product)")
					.doesNotContain("not a number");
				assertThat(retried.payload()).contains("not a number");
				this.application.withBean(NewOrders.class).run((renewed) -> awaitState(jobs, id, JobState.SUCCEEDED));
			});
	}

	@Test
	void aPausedContextRunsNothingUntilItIsRestarted() {
		this.application.withBean(Notes.class).run((paused) -> {
			JobQueue jobs = paused.getBean(JobQueue.class);
			awaitState(jobs, jobs.enqueue("note", new Note("before")).id(), JobState.SUCCEEDED);
			// as Spring does with the contexts of other tests
			paused.getSourceApplicationContext().pause();
			assertThat(this.database.count("select count(*) from rowqueue.worker")).isZero();
			long id = jobs.enqueue("note", new Note("meanwhile")).id();
			this.application.withBean(Reports.class)
				.run((other) -> awaitState(jobs, jobs.enqueue("report", "of the other").id(), JobState.SUCCEEDED));
			assertThat(jobs.find(id)).get().extracting(Job::state).isEqualTo(JobState.QUEUED);
			paused.getSourceApplicationContext().restart();
			awaitState(jobs, id, JobState.SUCCEEDED);
		});
	}

	private static Job awaitState(JobQueue jobs, long id, JobState state) {
		return Awaitility.await()
			.pollInterval(Duration.ofMillis(20))
			.until(() -> jobs.find(id).orElseThrow(), (job) -> job.state() == state);
	}

	record OldOrder(int product) {
	}

	record NewOrder(String product) {
	}

	private static final class Reports {

		@JobHandler("report")
		void write(String report, JobContext job) {
		}

	}

	private static final class OldOrders {

		@JobHandler("order")
		void take(OldOrder order) {
		}

	}

	private static final class NewOrders {

		@JobHandler("order")
		void take(NewOrder order) {
		}

	}

}
