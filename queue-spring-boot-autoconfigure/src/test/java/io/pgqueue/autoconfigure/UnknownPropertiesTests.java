package io.pgqueue.autoconfigure;

import java.util.Map;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A setting that is lost because its name is wrong is reported when the application
 * starts.
 */
@ExtendWith(OutputCaptureExtension.class)
class UnknownPropertiesTests {

	private static final String UNKNOWN = " is not a property of the queue";

	@Test
	void isReportedAtTheStart(CapturedOutput output) {
		Applications.on(new TestDatabase())
			.withPropertyValues("queue.worker.concurency=5")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).containsOnlyOnce(UNKNOWN)
			.contains("WARN")
			.contains("did you mean queue.worker.concurrency?");
	}

	@ParameterizedTest
	@CsvSource({ "queue.worker.concurency,queue.worker.concurrency", "queue.enable,queue.enabled",
			"queue.wroker.lease,queue.worker.lease", "queue.types.mail.max-attemps,queue.types.mail.max-attempts",
			"queue.types[Mail.Out].timout,queue.types[Mail.Out].timeout",
			"queue.worker.queues.Mail.Out.concurrency,queue.worker.queues[Mail.Out].concurrency",
			"queue.retention.queues.a.b.c.failed,queue.retention.queues[a.b.c].failed",
			"queue.slowdown.bulkenque,queue.slow-down.bulk-enqueue" })
	void theNearestNameIsSuggested(String name, String nearest, CapturedOutput output) {
		check(Map.of(name, "1"), Map.of());
		assertThat(output).containsOnlyOnce(UNKNOWN).contains("did you mean " + nearest + "?");
	}

	@Test
	void aNameThatResemblesNoneMayBelongToTheApplication(CapturedOutput output) {
		check(Map.of("queue.url", "sqs"), Map.of());
		assertThat(output).contains("queue.url").contains(UNKNOWN).doesNotContain("did you mean");
	}

	@ParameterizedTest
	@ValueSource(strings = { "queue.worker.queues[Mail.Out].concurrency", "queue.worker.queues.mail.concurrency",
			"queue.worker.pollInterval", "queue.types.mail.no-retry-for[0]", "queue.types.mail.no-retry-for",
			"queue.recurring.nightly.cron", "queue.tracing.mode", "queue.health.oldest-age", "queue.limits.keys.x.rate",
			"queue.windows.night.times[1]", "queue.slow-down.bulk-enqueue", "queue.measurement.interval", "queues.mail",
			"queue" })
	void nothingIsSaidOfANameThatIsKnownOrNobodysBusiness(String name, CapturedOutput output) {
		check(Map.of(name, "1"), Map.of());
		assertThat(output).doesNotContain(UNKNOWN);
	}

	@Test
	void theEnvironmentHoldsVariablesOfOthers(CapturedOutput output) {
		check(Map.of(),
				Map.of("QUEUE_SERVICE_HOST", "10.0.0.1", "QUEUE_PORT_5672_TCP_ADDR", "10.0.0.1",
						"QUEUE_WORKER_POLL_INTERVAL", "2s", "QUEUE_WORKER_MAXATTEMPTS", "3",
						"QUEUE_WORKER_QUEUES_MAIL_OUT_CONCURRENCY", "2"));
		assertThat(output).doesNotContain(UNKNOWN);
	}

	@Test
	void aMistypedVariableOfTheEnvironmentIsReported(CapturedOutput output) {
		check(Map.of(), Map.of("QUEUE_WORKER_CONCURENCY", "5"));
		assertThat(output).containsOnlyOnce(UNKNOWN)
			.contains("QUEUE_WORKER_CONCURENCY")
			.contains("did you mean queue.worker.concurrency?");
	}

	@Test
	void everyPropertyOfTheQueueIsKnown() {
		assertThat(new ClassFileImporter().withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
			.importPackages("io.pgqueue.autoconfigure")).filteredOn((type) -> isOfTheQueue(type))
			.extracting(JavaClass::reflect)
			.isNotEmpty()
			.containsExactlyInAnyOrderElementsOf(KnownProperties.types());
	}

	private static boolean isOfTheQueue(JavaClass type) {
		return type.isAnnotatedWith(ConfigurationProperties.class)
				&& type.getAnnotationOfType(ConfigurationProperties.class).value().matches("queue(\\..*)?");
	}

	private static void check(Map<String, Object> file, Map<String, Object> variables) {
		StandardEnvironment environment = new StandardEnvironment();
		environment.getPropertySources()
			.replace(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, new SystemEnvironmentPropertySource(
					StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, variables));
		environment.getPropertySources().addLast(new MapPropertySource("application.yml", file));
		UnknownProperties.warn(environment);
	}

}
