package io.rowqueue.autoconfigure.worker;

import java.util.concurrent.LinkedBlockingQueue;

import io.rowqueue.JobHandler;
import io.rowqueue.JobQueue;
import io.rowqueue.JobState;
import io.rowqueue.autoconfigure.Applications;
import io.rowqueue.autoconfigure.TestDatabase;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/** Which of the application's types a process runs. */
class TypesOfAProcessTests {

	@RegisterExtension
	private final TestDatabase database = new TestDatabase();

	private final ApplicationContextRunner application = Applications.on(this.database).withBean(Handlers.class);

	@Test
	void aProcessRunsTheTypesThatAreIncludedAndNotExcluded() {
		this.application
			.withPropertyValues("rowqueue.worker.types.include=report-*,mail", "rowqueue.worker.types.exclude=*-daily")
			.run((context) -> {
				JobQueue queue = context.getBean(JobQueue.class);
				long other = queue.enqueue("import", null).id();
				long excluded = queue.enqueue("report-daily", null).id();
				queue.enqueue("report-weekly", null);
				queue.enqueue("mail", null);
				Handlers handlers = context.getBean(Handlers.class);
				Awaitility.await().until(() -> handlers.ran.size() == 2);
				assertThat(handlers.ran).containsExactlyInAnyOrder("report-weekly", "mail");
				assertThat(queue.find(other))
					.hasValueSatisfying((job) -> assertThat(job.state()).isEqualTo(JobState.QUEUED));
				assertThat(queue.find(excluded))
					.hasValueSatisfying((job) -> assertThat(job.state()).isEqualTo(JobState.QUEUED));
				assertThat(this.database.count(
						"select count(*) from rowqueue.worker where types @> '{mail,report-weekly}' and types <@ '{mail,report-weekly}'"))
					.isOne();
			});
	}

	@Test
	void withoutPatternsItRunsAllTypes() {
		this.application.run((context) -> {
			Awaitility.await().until(() -> this.database.count("select count(*) from rowqueue.worker") == 1);
			assertThat(this.database.count("select cardinality(types) from rowqueue.worker")).isEqualTo(4);
		});
	}

	@Test
	void aPatternThatMatchesNoHandlerFailsTheStart() {
		this.application.withPropertyValues("rowqueue.worker.types.include=reports-*")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOfSatisfying(InvalidConfigurationPropertyValueException.class, (failure) -> {
					assertThat(failure.getName()).isEqualTo("rowqueue.worker.types.include");
					assertThat(failure.getValue()).isEqualTo("reports-*");
					assertThat(failure.getReason())
						.isEqualTo("It matches none of the types that this application has handlers for:"
								+ " import, mail, report-daily, report-weekly");
				}));
		this.application.withPropertyValues("rowqueue.worker.types.exclude=mails")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("rowqueue.worker.types.exclude"));
	}

	@Test
	void aProcessWithoutTypesRegistersNoWorker() {
		this.application.withPropertyValues("rowqueue.worker.types.exclude=*")
			.run((context) -> assertThat(context.getBean(QueueLifecycle.class).isRunning()).isFalse());
	}

	static class Handlers {

		private final LinkedBlockingQueue<String> ran = new LinkedBlockingQueue<>();

		@JobHandler("report-daily")
		void daily() {
			this.ran.add("report-daily");
		}

		@JobHandler("report-weekly")
		void weekly() {
			this.ran.add("report-weekly");
		}

		@JobHandler("mail")
		void mail() {
			this.ran.add("mail");
		}

		@JobHandler("import")
		void importData() {
			this.ran.add("import");
		}

	}

}
