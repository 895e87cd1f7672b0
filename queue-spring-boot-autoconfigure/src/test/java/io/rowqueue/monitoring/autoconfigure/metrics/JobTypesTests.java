package io.rowqueue.monitoring.autoconfigure.metrics;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.rowqueue.DuplicatePolicy;
import io.rowqueue.EnqueueResult;
import io.rowqueue.EnqueueResult.Outcome;
import io.rowqueue.Job;
import io.rowqueue.JobHandler;
import io.rowqueue.JobHandler.Duplicates;
import io.rowqueue.JobHandlers;
import io.rowqueue.JobQueue;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.JobType;
import io.rowqueue.autoconfigure.Applications;
import io.rowqueue.autoconfigure.TestDatabase;
import io.rowqueue.flow.Batch;
import io.rowqueue.flow.Flow;
import io.rowqueue.listen.EnqueueInterceptor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** The defaults that an application declares for the requests of a type. */
class JobTypesTests {

	private static final JobType<Mail> MAIL = JobType.of("mail", Mail.class)
		.queue("mails")
		.priority(7)
		.maxAttempts(2)
		.uniqueKey((mail) -> "mail " + mail.id());

	@RegisterExtension
	private final TestDatabase database = new TestDatabase();

	private final ApplicationContextRunner producer = Applications.on(this.database)
		.withPropertyValues("rowqueue.worker.enabled=false");

	@Test
	void aDeclaredTypeNeedsNoBean() {
		this.producer.run((context) -> {
			JobQueue queue = context.getBean(JobQueue.class);
			assertThatIsMail(queue, queue.enqueue(MAIL, new Mail(1)));
			assertThat(queue.enqueue(MAIL, new Mail(1)).outcome()).isEqualTo(Outcome.KEPT);
		});
	}

	@Test
	void aTypeThatIsABeanAppliesToItsName() {
		this.producer.withBean("mailType", JobType.class, () -> MAIL).run((context) -> {
			JobQueue queue = context.getBean(JobQueue.class);
			assertThatIsMail(queue, queue.enqueue("mail", new Mail(1)));
			assertThatIsMail(queue, queue.enqueueAll(Stream.of(JobRequest.of("mail", new Mail(2))).toList()).get(0));
			JobRequest newMail = JobRequest.of("mail", new Mail(3))
				.uniqueKey("mail 3")
				.duplicates(DuplicatePolicy.reject());
			long inFlow = queue.enqueue(Flow.named("order").job("first", newMail)).jobId("first");
			assertThat(queue.find(inFlow).orElseThrow().queue()).isEqualTo("mails");
			assertThat(queue.enqueue("other", null).id()).as("another type").isPositive();
			assertThatIllegalArgumentException().isThrownBy(() -> queue.enqueue("mail", Map.of("id", 1)))
				.withMessageContaining("The payload of a job of the type 'mail' must be a " + Mail.class.getName());
			long batch = queue.enqueueBatch(Batch.named("mails"), Stream.of(JobRequest.of("mail", new Mail(4))));
			assertThat(this.database.count("select count(*) from rowqueue.job where batch_id = " + batch
					+ " and queue = 'mails' and unique_key = 'mail 4'"))
				.isEqualTo(1);
		});
	}

	@Test
	void interceptorsSeeRequestsWithTheirDefaults() {
		List<JobRequest> seen = new ArrayList<>();
		this.producer.withBean("mailType", JobType.class, () -> MAIL)
			.withBean(EnqueueInterceptor.class, () -> new EnqueueInterceptor() {
				@Override
				public <T> T enqueue(List<JobRequest> requests, Map<String, String> headers, Supplier<T> enqueue) {
					seen.addAll(requests);
					return enqueue.get();
				}
			})
			.run((context) -> {
				JobQueue queue = context.getBean(JobQueue.class);
				queue.enqueue("mail", new Mail(1));
				JobRequest newMail = JobRequest.of("mail", new Mail(2))
					.uniqueKey("new")
					.duplicates(DuplicatePolicy.reject());
				queue.enqueue(Flow.named("order").job("first", newMail));
				assertThat(seen).hasSize(2).startsWith(MAIL.request(new Mail(1)));
				assertThat(seen.get(1).queue()).isEqualTo("mails");
				assertThat(seen.get(1).unique().value()).isEqualTo("new");
			});
	}

	@Test
	void theAnnotationOfAHandlerAppliesToItsType() {
		this.producer.withBean(Invoices.class).run((context) -> {
			JobQueue queue = context.getBean(JobQueue.class);
			EnqueueResult first = queue.enqueue("invoice", Map.of("id", 5, "customer", Map.of("id", "c7")));
			Job job = queue.find(first.id()).orElseThrow();
			assertThat(job.queue()).isEqualTo("invoices");
			assertThat(job.priority()).isEqualTo(-3);
			assertThat(job.uniqueKey()).isEqualTo("invoice 5");
			assertThat(this.database.query("select limit_key || ' ' || tolerance from rowqueue.job", String.class))
				.isEqualTo("customer:c7 00:05:00");
			assertThat(queue.enqueue("invoice", Map.of("id", 5, "customer", Map.of("id", "c8"))).outcome())
				.isEqualTo(Outcome.REPLACED);
			assertThatIllegalArgumentException().isThrownBy(() -> queue.enqueue("invoice", Map.of("id", 5)))
				.withMessageContaining("needs a text, number or boolean 'customer.id' in the payload");
		});
	}

	@Test
	void aTypeHasAnExpiryAndTags() {
		this.producer.withBean(Reminders.class)
			.withPropertyValues("rowqueue.types.other.expires-in=1h")
			.run((context) -> {
				JobQueue queue = context.getBean(JobQueue.class);
				long id = queue.enqueue("reminder", Map.of("customer", 42)).id();
				assertThat(this.database
					.query("""
							select string_agg(value, ' ' order by value) || ' ' || (
								select expires_at < now() + interval '11 minutes' from rowqueue.job_expiry where job_id = %d)
							from rowqueue.job_tag where job_id = %d"""
						.formatted(id, id), String.class))
					.isEqualTo("customer:42 reminders true");
				long other = queue.enqueue("other", null).id();
				assertThat(
						this.database.query("select expires_at < now() + interval '61 minutes' from rowqueue.job_expiry"
								+ " where job_id = " + other, Boolean.class))
					.isTrue();
			});
	}

	@Test
	void aJobWithoutAPayloadHasTheTagsWithoutBraces() {
		this.producer.withBean(Reminders.class).run((context) -> {
			long id = context.getBean(JobQueue.class).enqueue("reminder", null).id();
			assertThat(this.database.query("select value from rowqueue.job_tag where job_id = " + id, String.class))
				.isEqualTo("reminders");
		});
	}

	@Test
	void theDefaultsApplyAlsoWhileTheApplicationStarts() {
		this.producer.withBean(Invoices.class).withBean(EnqueuesAtTheStart.class).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(this.database.query("select queue from rowqueue.job", String.class)).isEqualTo("invoices");
		});
	}

	@Test
	void aTypeIsDeclaredOnce() {
		this.producer.withBean(Invoices.class)
			.withBean("invoiceType", JobType.class, () -> JobType.of("invoice", Map.class))
			.run((context) -> assertThat(context).getFailure()
				.hasStackTraceContaining("bean 'invoiceType' declares the type 'invoice', which another bean or the"
						+ " annotation of its handler declares as well"));
	}

	@Test
	void aWrongDefaultStopsTheStart() {
		this.producer.withBean(WithoutBraces.class)
			.run((context) -> assertThat(context).getFailure()
				.hasStackTraceContaining("'order' names no property of the payload in braces"));
	}

	@Test
	void aHandlerIsRegisteredForADeclaredType() {
		Applications.on(this.database)
			.withBean(JobHandlers.Registrar.class, () -> (handlers) -> handlers.add(MAIL, (mail, job) -> {
				assertThat(mail).isEqualTo(new Mail(1));
			}))
			.run((context) -> {
				JobQueue queue = context.getBean(JobQueue.class);
				long id = queue.enqueue(MAIL, new Mail(1)).id();
				Awaitility.await()
					.untilAsserted(
							() -> assertThat(queue.find(id).orElseThrow().state()).isEqualTo(JobState.SUCCEEDED));
			});
	}

	private static void assertThatIsMail(JobQueue queue, EnqueueResult result) {
		Job job = queue.find(result.id()).orElseThrow();
		assertThat(job.queue()).isEqualTo("mails");
		assertThat(job.priority()).isEqualTo(7);
		assertThat(job.maxAttempts()).isEqualTo(2);
		assertThat(job.uniqueKey()).startsWith("mail ");
	}

	record Mail(long id) {

	}

	static class Invoices {

		@JobHandler(value = "invoice", queue = "invoices", priority = -3, tolerance = "5m", uniqueKey = "invoice {id}",
				uniqueFor = "1h", duplicates = Duplicates.REPLACE, limitKey = "customer:{customer.id}")
		void send() {
		}

	}

	static class Reminders {

		@JobHandler(value = "reminder", expiresIn = "${expiry:10m}", tags = { "reminders", "customer:{customer}" })
		void remind() {
		}

	}

	static class WithoutBraces {

		@JobHandler(value = "order", uniqueKey = "order")
		void send() {
		}

	}

	static class EnqueuesAtTheStart implements InitializingBean {

		private final JobQueue queue;

		EnqueuesAtTheStart(JobQueue queue) {
			this.queue = queue;
		}

		@Override
		public void afterPropertiesSet() {
			this.queue.enqueue("invoice", Map.of("id", 5, "customer", Map.of("id", "c7")));
		}

	}

}
