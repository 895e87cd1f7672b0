package io.rowqueue;

import java.lang.reflect.InvocationHandler;
import java.time.Duration;

import io.rowqueue.testing.Proxies;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class JobTypeTests {

	private static final JobType<Mail> MAIL = JobType.of("mail", Mail.class)
		.queue("mails")
		.priority(3)
		.tolerance(Duration.ofMinutes(5))
		.maxAttempts(4)
		.window("night")
		.limitKey((mail) -> "customer:" + mail.customer())
		.uniqueKey((mail) -> "mail " + mail.id())
		.uniqueFor(Duration.ofHours(1))
		.duplicates(DuplicatePolicy.replace());

	@Test
	void aRequestHasAllDefaults() {
		assertThat(MAIL.request(new Mail(7, 42))).isEqualTo(JobRequest.of("mail", new Mail(7, 42))
			.queue("mails")
			.priority(3)
			.tolerance(Duration.ofMinutes(5))
			.maxAttempts(4)
			.window("night")
			.limitKey("customer:42")
			.uniqueKey("mail 7")
			.uniqueFor(Duration.ofHours(1))
			.duplicates(DuplicatePolicy.replace()));
	}

	@Test
	void whatTheRequestSaysTakesPrecedence() {
		JobRequest own = JobRequest.of("mail", new Mail(7, 42))
			.queue(JobRequest.DEFAULT_QUEUE)
			.priority(0)
			.tolerance(Duration.ZERO)
			.maxAttempts(1)
			.window("day")
			.limitKey("own")
			.uniqueKey("own");
		assertThat(MAIL.applyTo(own)).as("also if it is what a request has by itself").isEqualTo(own);
	}

	@Test
	void aKeyCanBeLeftOut() {
		JobType<Mail> type = JobType.of("mail", Mail.class).uniqueKey((mail) -> null).limitKey((mail) -> null);
		JobRequest request = type.request(new Mail(7, 42));
		assertThat(request.unique()).isNull();
		assertThat(request.limitKey()).isNull();
	}

	@Test
	void aKeyNeedsAPayload() {
		assertThatIllegalArgumentException().isThrownBy(() -> MAIL.request(null))
			.withMessage("A job of the type 'mail' needs a payload: its limit key is derived from it");
		assertThat(JobType.of("mail", Mail.class).queue("mails").request(null).queue()).isEqualTo("mails");
	}

	@Test
	void aDerivedKeyIsCheckedLikeAnyOther() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> JobType.of("mail", Mail.class).limitKey((mail) -> " ").request(new Mail(7, 42)))
			.withMessageContaining("limitKey must not be blank");
	}

	@Test
	void aPayloadOfAnotherClassIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> MAIL.applyTo(JobRequest.of("mail", "text")))
			.withMessage("The payload of a job of the type 'mail' must be a %s, not a java.lang.String",
					Mail.class.getName());
	}

	@Test
	void aRequestOfAnotherTypeIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> MAIL.applyTo(JobRequest.of("report")))
			.withMessage("The request is for a job of the type 'report', not 'mail'");
	}

	@Test
	void whatNeedsAKeyIsSaidAfterIt() {
		JobType<Mail> type = JobType.of("mail", Mail.class);
		assertThatIllegalArgumentException().isThrownBy(() -> type.uniqueFor(Duration.ofHours(1)))
			.withMessage("uniqueFor needs a key: call uniqueKey(…) before it");
		assertThatIllegalArgumentException().isThrownBy(() -> type.duplicates(DuplicatePolicy.replace()))
			.withMessage("duplicates needs a key: call uniqueKey(…) before it");
	}

	@Test
	void aQueueTakesAPayloadOfTheTypeOnly() {
		Captured queue = new Captured();
		queue.enqueue(MAIL, new Mail(7, 42)); // with a String it would not compile
		assertThat(queue.request).isEqualTo(MAIL.request(new Mail(7, 42)));
	}

	private record Mail(long id, long customer) {

	}

	/** Keeps what is enqueued. */
	private static final class Captured {

		private @Nullable JobRequest request;

		private final JobQueue queue = Proxies.of(JobQueue.class, (proxy, method, arguments) -> {
			if (method.isDefault()) {
				return InvocationHandler.invokeDefault(proxy, method, arguments);
			}
			this.request = (JobRequest) arguments[0];
			return null;
		});

		<T> void enqueue(JobType<T> type, T payload) {
			this.queue.enqueue(type, payload);
		}

	}

}
