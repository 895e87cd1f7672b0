package io.rowqueue.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;

import io.rowqueue.CoalescedJob;
import io.rowqueue.JobHandler;
import io.rowqueue.JobQueue;
import io.rowqueue.JobRequest;
import io.rowqueue.engine.control.DefaultJobLimits;
import io.rowqueue.limit.JobLimits;
import io.rowqueue.limit.Limit;
import io.rowqueue.limit.LimitKind;
import io.rowqueue.limit.LimitView;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNoException;

/** Limits of the cluster and jobs that run together, as an application asks for them. */
class LimitsTests {

	@RegisterExtension
	private final TestDatabase database = new TestDatabase();

	@Test
	void propertiesAreWrittenDownWhenTheApplicationStarts() {
		Applications.on(this.database)
			.withPropertyValues("rowqueue.limits.queues.mail.concurrency=5", "rowqueue.limits.queues.mail.rate=100/1m",
					"rowqueue.limits.queues.mail.burst=10", "rowqueue.limits.types[Web.Hook].rate=5/s",
					"rowqueue.limits.keys.account.ordered=true")
			.run((context) -> assertThat(context.getBean(JobLimits.class).list()).extracting(LimitView::limit)
				.containsExactly(Limit.concurrency(1).ordered(true),
						Limit.concurrency(5).rate(100, Duration.ofMinutes(1)).burst(10),
						Limit.perPeriod(5, Duration.ofSeconds(1))));
	}

	@Test
	void whatIsSetAtRunTimeOutlastsARestart() {
		ApplicationContextRunner application = Applications.on(this.database)
			.withPropertyValues("rowqueue.limits.queues.mail.concurrency=5");
		application
			.run((context) -> context.getBean(JobLimits.class).set(LimitKind.QUEUE, "mail", Limit.concurrency(1)));
		application.run((context) -> {
			JobLimits limits = context.getBean(JobLimits.class);
			assertThat(limits.list()).extracting(LimitView::limit).containsExactly(Limit.concurrency(1));
			assertThat(limits.remove(LimitKind.QUEUE, "mail")).isTrue();
		});
		application.run((context) -> assertThat(context.getBean(JobLimits.class).list()).extracting(LimitView::limit)
			.containsExactly(Limit.concurrency(5)));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					rowqueue.limits.queues.mail.concurrency=0   | rowqueue.limits.queues.mail: concurrency must be positive, not 0
					rowqueue.limits.types[a.B].rate=many        | rowqueue.limits.types[a.B]: a rate must be such as 100/1m or 5/s, not 'many'
					rowqueue.limits.queues.mail.burst=3         | rowqueue.limits.queues.mail: burst requires a rate
					rowqueue.limits.queues.mail.ordered=true    | rowqueue.limits.queues.mail: only the jobs of a key can be ordered
					""")
	void aWrongPropertyIsNamed(String property, String message) {
		Applications.on(this.database)
			.withPropertyValues(property)
			.run((context) -> assertThat(context).getFailure().hasStackTraceContaining(message));
	}

	@Test
	void aSingleKeyMayHaveALimit() {
		assertThatNoException()
			.isThrownBy(() -> DefaultJobLimits.check(LimitKind.KEY, "customer:1", Limit.concurrency(1)));
	}

	@Test
	void aNameThatNoQueueMayHaveIsRefused() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> DefaultJobLimits.check(LimitKind.QUEUE, "mail\n", Limit.concurrency(1)))
			.withMessageContaining("the name of a limit must not contain control characters");
	}

	@Test
	void aHandlerThatTakesAListIsGivenJobsThatAreDueTogether() {
		Applications.on(this.database).withBean(Digest.class).run((context) -> {
			JobQueue queue = context.getBean(JobQueue.class);
			queue.enqueueAll(IntStream.range(0, 20)
				.mapToObj((number) -> JobRequest.of((number % 2 == 0) ? "numbers" : "jobs", number))
				.toList());
			Digest digest = context.getBean(Digest.class);
			Awaitility.await().until(() -> digest.numbers.size() == 20);
			assertThat(digest.numbers).containsExactlyInAnyOrderElementsOf(IntStream.range(0, 20).boxed().toList());
			Awaitility.await().until(() -> this.database.count("select count(*) from rowqueue.job_finished") == 20);
		});
	}

	@Test
	void aHandlerThatTakesNoListCannotCoalesce() {
		Applications.on(this.database)
			.withBean(NoList.class)
			.run((context) -> assertThat(context).getFailure()
				.hasStackTraceContaining("has coalesce set, but does not take a list"));
	}

	static class Digest {

		private final List<Integer> numbers = new CopyOnWriteArrayList<>();

		@JobHandler(value = "numbers", coalesce = 5)
		void numbers(List<Integer> numbers) {
			assertThat(numbers).hasSizeLessThanOrEqualTo(5);
			this.numbers.addAll(numbers);
		}

		@JobHandler(value = "jobs", coalesce = 5, coalesceWait = "1s")
		void jobs(List<CoalescedJob<Integer>> jobs) {
			this.numbers.addAll(jobs.stream().map(CoalescedJob::payload).toList());
		}

	}

	static class NoList {

		@JobHandler(value = "alone", coalesce = 5)
		void alone(String payload) {
		}

	}

}
