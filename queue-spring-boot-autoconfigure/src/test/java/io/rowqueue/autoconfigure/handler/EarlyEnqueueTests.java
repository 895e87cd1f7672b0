package io.rowqueue.autoconfigure.handler;

import io.rowqueue.JobHandler;
import io.rowqueue.JobRequest;
import io.rowqueue.JobType;
import io.rowqueue.engine.enqueue.DeclaredTypes;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/** The defaults of jobs that are enqueued while beans are created, and afterwards. */
class EarlyEnqueueTests {

	private final ApplicationContextRunner application = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(QueueHandlerAutoConfiguration.class))
		.withUserConfiguration(Application.class);

	@Test
	void theDefaultsOfABeanThatDoesNotExistYetAreKnownIfItsMethodDeclaresTheClass() {
		this.application
			.run((context) -> assertThat(context.getBean(Early.class).invoice).isNotNull().satisfies((type) -> {
				assertThat(queueOf(type, "invoice")).isEqualTo("billing");
			}));
	}

	@Test
	void theDefaultsOfAHandlerBehindAnInterfaceAreKnownAfterTheStartWhateverWasEnqueuedBefore() {
		this.application.run((context) -> {
			JobType<?> type = context.getBean(DeclaredTypes.class).find("report");
			assertThat(type).isNotNull();
			assertThat(queueOf(type, "report")).isEqualTo("slow");
		});
	}

	private static String queueOf(JobType<?> type, String name) {
		return type.applyTo(JobRequest.of(name)).queue();
	}

	@Configuration(proxyBeanMethods = false)
	static class Application {

		@Bean
		Early early(DeclaredTypes types) {
			return new Early(types);
		}

		@Bean
		Invoices invoices() {
			return new Invoices();
		}

		@Bean
		Reports reports() {
			return new WrittenReports();
		}

	}

	/** Enqueues while it is created. */
	static class Early {

		private final @Nullable JobType<?> invoice;

		Early(DeclaredTypes types) {
			this.invoice = types.find("invoice");
		}

	}

	static class Invoices {

		@JobHandler(value = "invoice", queue = "billing")
		void send() {
		}

	}

	interface Reports {

		void write();

	}

	static class WrittenReports implements Reports {

		@Override
		@JobHandler(value = "report", queue = "slow")
		public void write() {
		}

	}

}
