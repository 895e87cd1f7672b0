package io.rowqueue.autoconfigure;

import io.rowqueue.JobQueue;
import io.rowqueue.PayloadConversionException;
import io.rowqueue.admin.JobEditor;
import io.rowqueue.admin.WrittenJob;
import io.rowqueue.admin.autoconfigure.QueueAdminAutoConfiguration;
import io.rowqueue.autoconfigure.connection.QueueConnectionAutoConfiguration;
import io.rowqueue.autoconfigure.handler.QueueHandlerAutoConfiguration;
import io.rowqueue.autoconfigure.schema.QueueSchemaAutoConfiguration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** How big the payload of a job can be. */
class MaxPayloadSizeTests {

	private static final String MEGABYTE = "x".repeat(1024 * 1024 - 2);

	@RegisterExtension
	private final TestDatabase database = new TestDatabase();

	private final ApplicationContextRunner application = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class, JacksonAutoConfiguration.class,
				QueueConnectionAutoConfiguration.class, QueueSchemaAutoConfiguration.class,
				QueueHandlerAutoConfiguration.class, QueueAutoConfiguration.class))
		.withPropertyValues(this.database.properties());

	@Test
	void aMegabyteUnlessAnotherLimitIsGiven() {
		this.application.run((context) -> {
			JobQueue queue = context.getBean(JobQueue.class);
			assertThat(queue.enqueue("type", MEGABYTE).created()).isTrue();
			assertThatExceptionOfType(PayloadConversionException.class)
				.isThrownBy(() -> queue.enqueue("type", MEGABYTE + "x"))
				.withMessageContaining("has 1048577 bytes as JSON; at most 1048576 are allowed");
		});
	}

	@Test
	void theLimitIsAProperty() {
		this.application.withPropertyValues("rowqueue.max-payload-size=2KB")
			.run((context) -> assertThatExceptionOfType(PayloadConversionException.class)
				.isThrownBy(() -> context.getBean(JobQueue.class).enqueue("type", "x".repeat(2047)))
				.withMessageContaining("or raise rowqueue.max-payload-size"));
	}

	@Test
	void whatAPersonWritesHasTheSameLimit() {
		this.application.withConfiguration(AutoConfigurations.of(QueueAdminAutoConfiguration.class))
			.withPropertyValues("rowqueue.max-payload-size=2KB")
			.run((context) -> {
				JobEditor editor = context.getBean(JobEditor.class);
				String tooLong = '"' + "x".repeat(2047) + '"';
				long id = context.getBean(JobQueue.class).enqueue("type", "short").id();
				assertRefused(() -> editor.enqueue(WrittenJob.of("type").payload(tooLong)));
				assertRefused(() -> editor.edit(id, tooLong, null));
				assertRefused(() -> editor.replay(id, tooLong));
				assertRefused(() -> editor.signal(id, "approval", tooLong));
			});
	}

	private static void assertRefused(ThrowingCallable call) {
		assertThatIllegalArgumentException().isThrownBy(call)
			.withMessageContaining("has 2049 bytes as JSON; at most 2048 are allowed");
	}

	@ParameterizedTest
	@ValueSource(strings = { "0", "-1KB", "257MB" })
	void aLimitThatMakesNoSenseIsRefusedByName(String limit) {
		this.application.withPropertyValues("rowqueue.max-payload-size=" + limit)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("rowqueue.max-payload-size must be from 1B to 256MB"));
	}

}
