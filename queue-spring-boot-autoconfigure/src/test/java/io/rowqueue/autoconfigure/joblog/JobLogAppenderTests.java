package io.rowqueue.autoconfigure.joblog;

import java.util.List;
import java.util.concurrent.Callable;

import io.rowqueue.JobContext;
import io.rowqueue.JobHandler;
import io.rowqueue.JobLogLine;
import io.rowqueue.JobQueue;
import io.rowqueue.JobState;
import io.rowqueue.admin.JobAdmin;
import io.rowqueue.autoconfigure.Applications;
import io.rowqueue.autoconfigure.FirstJobTests;
import io.rowqueue.autoconfigure.TestDatabase;
import io.rowqueue.masking.StoredTextMasker;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/** What handlers log with Logback, in the logs of their jobs. */
class JobLogAppenderTests {

	private static final String ENABLED = "rowqueue.job-log.appender.enabled=true";

	@RegisterExtension
	private final TestDatabase database = new TestDatabase();

	private final ApplicationContextRunner application = Applications.on(this.database).withBean(Handlers.class);

	@Test
	void theLinesOfAHandlersThreadAreInTheLogOfItsJob() {
		this.application.withPropertyValues(ENABLED)
			.run((context) -> assertThat(log(context, "talks", JobState.SUCCEEDED))
				.extracting(JobLogLine::level, JobLogLine::text)
				.containsExactly(tuple(Level.INFO, "before {}"), tuple(Level.WARN, "by the context"),
						tuple(Level.ERROR, "after")));
	}

	@Test
	void anErrorIsFollowedByItsStackTraceAndTheEndOfTheAttemptIsLeftOut() {
		this.application.withPropertyValues(ENABLED)
			.run((context) -> assertThat(log(context, "fails", JobState.FAILED)).singleElement()
				.extracting(JobLogLine::text)
				.asString()
				.startsWith("about to fail\njava.lang.IllegalStateException: as planned")
				.contains("\tat io.rowqueue.autoconfigure.joblog"));
	}

	@Test
	void linesOfLowerLevelsAreLeftOut() {
		this.application.withPropertyValues(ENABLED, "rowqueue.job-log.appender.level=error")
			.run((context) -> assertThat(log(context, "talks", JobState.SUCCEEDED)).extracting(JobLogLine::text)
				.containsExactly("by the context", "after"));
	}

	@Test
	void byDefaultOnlyTheHandlerItselfWritesToTheLog() {
		this.application
			.run((context) -> assertThat(log(context, "talks", JobState.SUCCEEDED)).extracting(JobLogLine::text)
				.containsExactly("by the context"));
	}

	@Test
	void aMaskerOfTheApplicationMasksTheLines() {
		this.application.withPropertyValues(ENABLED)
			.withBean(StoredTextMasker.class, () -> (kind, text) -> text.replace("context", kind.name()))
			.run((context) -> assertThat(log(context, "talks", JobState.SUCCEEDED)).extracting(JobLogLine::text)
				.contains("by the LOG"));
	}

	@Test
	void theAppenderIsRemovedWithTheApplication() {
		ch.qos.logback.classic.Logger root = (ch.qos.logback.classic.Logger) LoggerFactory
			.getLogger(Logger.ROOT_LOGGER_NAME);
		this.application.withPropertyValues(ENABLED)
			.run((context) -> assertThat(root.getAppender("rowqueue-job-log")).isNotNull());
		assertThat(root.getAppender("rowqueue-job-log")).isNull();
	}

	private static List<JobLogLine> log(ApplicationContext context, String type, JobState state) {
		JobQueue queue = context.getBean(JobQueue.class);
		long id = queue.enqueue(type, null).id();
		FirstJobTests.awaitState(queue, id, state);
		return context.getBean(JobAdmin.class).log(id);
	}

	static class Handlers {

		private static final Logger logger = LoggerFactory.getLogger(Handlers.class);

		@JobHandler("talks")
		void talk(JobContext context) throws InterruptedException {
			logger.info("{}", "before {}");
			Thread other = new Thread(() -> logger.info("of another thread"));
			other.start();
			other.join();
			context.log().warn("by the context");
			logger.error("after");
			logger.debug("too low");
		}

		@JobHandler(value = "fails", maxAttempts = 1)
		void fail() throws Exception {
			Callable<Void> work = () -> {
				throw new IllegalStateException("as planned");
			};
			try {
				work.call();
			}
			catch (IllegalStateException ex) {
				logger.warn("about to fail", ex);
				throw ex;
			}
		}

	}

}
